"""pyodbc over unixODBC and FreeTDS' driver; its own calls have no return code, so batches select it."""

import datetime
import glob
import threading
import time

import pyodbc

from scenario import *

DRIVER = glob.glob("/usr/lib/*/odbc/libtdsodbc.so")[0]
VERSION = os.environ.get("CLIENT_TDS_VERSION", "7.4")


def connect(database, password=PASSWORD, autocommit=True):
    return pyodbc.connect(
        f"DRIVER={DRIVER};SERVER={HOST};PORT={PORT};DATABASE={database};UID=sa;PWD={{{password}}};"
        f"TDS_Version={VERSION};ClientCharset=UTF-8;Encryption=require",
        autocommit=autocommit,
    )


def texts(connection, query, *parameters):
    """Runs a batch; tells the rows of every result set."""
    cursor = connection.cursor()
    cursor.execute(query, *parameters)
    sets = []
    while True:
        if cursor.description is not None:
            sets.append([list(row) for row in cursor.fetchall()])
        if not cursor.nextset():
            return sets


def status(connection, call, *parameters):
    """The return code of a call in a batch."""
    return texts(connection, "set nocount on; declare @rc int; exec @rc = " + call + "; select @rc", *parameters)[-1][0][0]


def add_job(connection, job, items, name=GRAIN):
    return status(
        connection,
        "proc_AddJob ?, ?, ?, ?, ?, ?, ?, ?, ?",
        job, "user@contoso.com", bytes.fromhex("1234567890"), PARTITION, "<settings/>", name, items, 1000, 100,
    )


def jobs(connection, submitted):
    return texts(connection, "{call proc_GetJobs(?, ?, ?, ?)}", PARTITION, None, False, submitted)[0]


def add_group(connection, document):
    return status(
        connection, "proc_AddGroup ?, ?, ?, ?, ?, ?", 1, 1, "http://contoso.com", "http://contoso.com", 2, document
    )


def translation(connection):
    added = add_job(connection, 1, 2)
    grouped = add_group(connection, TRANSLATION_GROUP)
    submitted = status(connection, "proc_SubmitJob ?", 1)
    job = jobs(connection, True)[0]
    batch = texts(
        connection, "{call proc_GetConversionBatch(?, ?)}", 10, datetime.datetime(2008, 1, 31, 1, 1, 1)
    )[0]
    day = (PARTITION, 9, datetime.date(2026, 3, 3))
    texts(connection, "{call proc_UpdateItemCount(?, ?, ?, ?)}", *day, 7)
    return {
        "added": added,
        "grouped": grouped,
        "submitted": submitted,
        "limited": add_job(connection, 9, 101),
        "job": {
            "id": job[0],
            "created": moment(job[1]),
            "cancelled": job[2],
            "submitted": job[3],
            "name": job[4],
        },
        "items": [[row[2], row[4]] for row in batch],
        "counted": status(connection, "proc_GetItemCount ?, ?, ?", *day),
    }


def word(connection):
    added = status(
        connection,
        "proc_AddJob ?, ?, ?, ?, ?, ?",
        1, b"\xab" * 32, bytes.fromhex("010500"), b"\xff", PARTITION, "<settings/>",
    )
    add_group(connection, WORD_GROUP)
    status(connection, "proc_SubmitJob 1")
    active = status(connection, "proc_HasActiveJobs")
    token = texts(connection, "{call proc_UpdateConversionBatch(?)}", WORD_BATCH)[0][0]
    return {
        "added": added,
        "active": active,
        "token": {"header": token[5].hex(), "sid": token[6].hex(), "groups": token[7].hex()},
    }


def put_object(connection, identifier, version):
    return texts(
        connection,
        "set nocount on; declare @rc int, @version binary(8); exec @rc = proc_putObject @Id = ?, @ParentId = null, "
        "@ClassId = ?, @Name = ?, @Status = ?, @Version = ?, @Properties = ?, @AutoResolveMissingTypes = ?, "
        "@ExistingObject = null, @NewVersion = @version output; select @rc, @version",
        identifier, CLASS, "Farm", 0, version, PROPERTIES, False,
    )[0][0]


def configuration(connection):
    registered = status(connection, "proc_putClass ?, ?, ?", CLASS, None, "Example.Farm")
    stored, version = put_object(connection, OBJECT, None)
    updated, _ = put_object(connection, OBJECT, version)
    taken, _ = put_object(connection, OTHER, None)
    sites = texts(
        connection,
        "set nocount on; declare @count int; exec proc_putSiteMap ?, ?, ?, ?, ?, ?, ?, ?, @count output; select @count",
        APPLICATION, DATABASE, SITE, None, "/sites/grain", 0, None, False,
    )[-1]
    read = texts(connection, "{call proc_getObject(?)}", OBJECT)[0][0]
    return {
        "class": registered,
        "object": stored,
        "version": version.hex(),
        "updated": updated,
        "taken": taken,
        "sites": sites[0][0],
        "name": read[3],
        "properties": read[6],
    }


def nulls(connection):
    sent = add_job(connection, 2, 0, None)
    name = [row[4] for row in jobs(connection, False) if row[0] == 2][0]
    items = texts(
        connection, "{call proc_GetItems(?, ?, ?, ?, ?, ?, ?, ?, ?)}", 1, 1, PARTITION, True, True, True, True, True, True
    )[0]
    return {"sent": sent, "name": name, "columns": items[0][:4]}


def long_value(connection):
    sent = status(connection, "proc_putFileSegment ?, ?, ?", OBJECT, LONG, 0)
    return long_facts(sent, texts(connection, "{call proc_getFile(?)}", OBJECT)[0][0][0])


NUMBERS = {
    2812: "Could not find stored procedure", 201: "which was not supplied", 8114: "Error converting data type",
    2627: "Cannot insert duplicate key", 208: "Invalid object name", 102: "Incorrect syntax near", 50000: "grain",
    18456: "Login failed for user",
}


def number_of(run):
    """pyodbc tells the number in its text: ... (2812) (SQLExecDirectW)."""
    try:
        run()
    except pyodbc.Error as error:
        told = [number for number in NUMBERS if f"({number})" in error.args[1] and NUMBERS[number] in error.args[1]]
        return told[0] if told else error.args[1]
    return None


def errors(connection):
    return {
        "unknownProcedure": number_of(lambda: texts(connection, "{call proc_Nothing}")),
        "missingParameter": number_of(lambda: texts(connection, "{call proc_SubmitJob}")),
        "conversion": number_of(lambda: texts(connection, "{call proc_SubmitJob(?)}", "grain")),
        "duplicate": number_of(lambda: add_job(connection, 1, 0)),
        "unknownTable": number_of(lambda: texts(connection, "select * from nothing")),
        "syntax": number_of(lambda: texts(connection, "select 1 +")),
        "raised": number_of(lambda: texts(connection, "raiserror('grain', 16, 1)")),
        "after": texts(connection, "select 1")[0][0][0],
    }


def cancel(connection):
    cursor = connection.cursor()
    threading.Timer(0.5, cursor.cancel).start()
    cancelled = False
    began = time.monotonic()
    try:
        cursor.execute("waitfor delay '00:02:00'")
    except pyodbc.Error as error:
        cancelled = error.args[0] == "HY008"
    return {"cancelled": cancelled and time.monotonic() - began < 60, "after": texts(connection, "select 1")[0][0][0]}


def transaction():
    connection = connect("TranslationServices", autocommit=False)
    count = lambda: len([row for row in jobs(connection, False) if row[0] == 3])
    add_job(connection, 3, 0)
    inside = count()
    connection.rollback()
    return {"inside": inside, "after": count()}


def prepared(connection):
    cursor = connection.cursor()
    answers = []
    for number, text in ((1, "a"), (2, "b"), (3, "c")):
        cursor.execute("select cast(? as varchar(9)) + ' ' + ?", number, text)
        answers.append(cursor.fetchone()[0])
    return {"answers": answers}


def metadata(connection):
    rows = connection.cursor().procedureColumns("proc_AddJob").fetchall()
    named = [row for row in rows if row.column_name != "@RETURN_VALUE"]
    return {"parameters": {row.column_name: row.type_name for row in named}}


tell("client", lambda: {"version": pyodbc.version})
translations = connect("TranslationServices")
tell("login", lambda: dict(zip(("user", "encrypted", "protocol"), texts(translations, CONNECTION)[0][0])))
tell("refused", lambda: {"number": number_of(lambda: connect("master", "wrong"))})
tell("databases", lambda: {"names": [row[0] for row in texts(translations, "select name from sys.databases")[0]]})
tell(
    "procedures",
    lambda: {"names": [row.procedure_name.split(";")[0] for row in translations.cursor().procedures().fetchall()]},
)
tell("translation", lambda: translation(translations))
tell("word", lambda: word(connect("WordAutomationServices")))
farms = connect("SharePoint_Config")
tell("config", lambda: configuration(farms))
tell("sets", lambda: {"rows": [len(rows) for rows in texts(farms, "{call proc_getNewObjects(?)}", bytes(8))]})
tell("nulls", lambda: nulls(translations))
tell("long", lambda: long_value(farms))
tell("errors", lambda: errors(translations))
tell("cancel", lambda: cancel(translations))
tell("transaction", transaction)
tell("prepared", lambda: prepared(translations))
tell("metadata", lambda: metadata(translations))
