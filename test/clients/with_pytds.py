"""python-tds: TDS written in Python; procedures go by RPC with return codes and output values."""

import datetime
import uuid

import pytds
from pytds.tds_types import IntType, BigIntType, NVarCharType

from scenario import *

TLS = os.environ.get("CLIENT_TLS", "yes") == "yes"


def connect(database, password=PASSWORD, timeout=120, pooling=False):
    options = {"cafile": CA, "validate_host": False} if TLS else {}
    return pytds.connect(
        HOST, port=PORT, user="sa", password=password, database=database, timeout=timeout, login_timeout=60,
        autocommit=True, pooling=pooling, **options,
    )


def call(connection, name, parameters=()):
    """Calls by RPC; tells the return code, the output values and the rows of every result set."""
    with connection.cursor() as cursor:
        values = cursor.callproc(name, parameters)
        sets = []
        while True:
            if cursor.description is not None:
                sets.append(cursor.fetchall())
            if not cursor.nextset():
                break
        return cursor.get_proc_return_status(), cursor.get_proc_outputs() if sets else values, sets


def texts(connection, query, parameters=None):
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        sets = []
        while True:
            if cursor.description is not None:
                sets.append(cursor.fetchall())
            if not cursor.nextset():
                return sets


def add_job(connection, job, items, name=GRAIN):
    return call(
        connection,
        "proc_AddJob",
        (job, "user@contoso.com", pytds.Binary(bytes.fromhex("1234567890")), uuid.UUID(PARTITION), "<settings/>", name,
         items, 1000, 100),
    )[0]


def jobs(connection, submitted):
    return call(
        connection,
        "proc_GetJobs",
        {"@PartitionId": uuid.UUID(PARTITION), "@UserId": None, "@ActiveOnly": False, "@SubmittedOnly": submitted},
    )[2][0]


def add_group(connection, document):
    return call(connection, "proc_AddGroup", (1, 1, "http://contoso.com", "http://contoso.com", 2, document))[0]


def translation(connection):
    added = add_job(connection, 1, 2)
    grouped = add_group(connection, TRANSLATION_GROUP)
    submitted = call(connection, "proc_SubmitJob", (1,))[0]
    job = jobs(connection, True)[0]
    batch = call(connection, "proc_GetConversionBatch", (10, datetime.datetime(2008, 1, 31, 1, 1, 1)))[2][0]
    day = (uuid.UUID(PARTITION), 9, datetime.date(2026, 3, 3))
    call(connection, "proc_UpdateItemCount", (*day, 7))
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
        "counted": call(connection, "proc_GetItemCount", day)[0],
    }


def word(connection):
    added = call(
        connection,
        "proc_AddJob",
        (1, pytds.Binary(b"\xab" * 32), pytds.Binary(bytes.fromhex("010500")), pytds.Binary(b"\xff"),
         uuid.UUID(PARTITION), "<settings/>"),
    )[0]
    add_group(connection, WORD_GROUP)
    call(connection, "proc_SubmitJob", (1,))
    active = call(connection, "proc_HasActiveJobs")[0]
    token = call(connection, "proc_UpdateConversionBatch", (WORD_BATCH,))[2][0][0]
    return {
        "added": added,
        "active": active,
        "token": {"header": token[5].hex(), "sid": token[6].hex(), "groups": token[7].hex()},
    }


def put_object(connection, identifier, version):
    status, values, _ = call(
        connection,
        "proc_putObject",
        (uuid.UUID(identifier), None, uuid.UUID(CLASS), "Farm", 0, version, PROPERTIES, False,
         pytds.output(param_type="uniqueidentifier"), pytds.output(param_type="varbinary(8)")),
    )
    return status, values[9]


def configuration(connection):
    registered = call(connection, "proc_putClass", (uuid.UUID(CLASS), None, "Example.Farm"))[0]
    stored, version = put_object(connection, OBJECT, None)
    updated, _ = put_object(connection, OBJECT, pytds.Binary(version))
    taken, _ = put_object(connection, OTHER, None)
    # get_proc_outputs has room for as many values as there are outputs: they go first.
    _, (sites,), _ = call(
        connection,
        "proc_putSiteMap",
        {"@CurrentDatabaseSiteCount": pytds.output(param_type="int"), "@ApplicationId": uuid.UUID(APPLICATION),
         "@DatabaseId": uuid.UUID(DATABASE), "@SiteId": uuid.UUID(SITE), "@SubscriptionId": None,
         "@Path": "/sites/grain", "@Pairing": 0, "@RedirectUrl": None, "@HostHeaderIsSiteName": False},
    )
    read = call(connection, "proc_getObject", (uuid.UUID(OBJECT),))[2][0][0]
    return {
        "class": registered,
        "object": stored,
        "version": version.hex(),
        "updated": updated,
        "taken": taken,
        "sites": sites,
        "name": read[3],
        "properties": read[6],
    }


def nulls(connection):
    sent = add_job(connection, 2, 0, None)
    name = [row[4] for row in jobs(connection, False) if row[0] == 2][0]
    items = call(connection, "proc_GetItems", (1, 1, uuid.UUID(PARTITION), True, True, True, True, True, True))[2][0]
    return {"sent": sent, "name": name, "columns": list(items[0][:4])}


def long_value(connection):
    sent = call(connection, "proc_putFileSegment", (uuid.UUID(OBJECT), pytds.Binary(LONG), 0))[0]
    return long_facts(sent, call(connection, "proc_getFile", (uuid.UUID(OBJECT),))[2][0][0][0])


def number_of(run):
    try:
        run()
    except pytds.Error as error:
        return getattr(error, "msg_no", None) or getattr(error, "number", None) or repr(error)
    return None


def errors(connection):
    return {
        "unknownProcedure": number_of(lambda: call(connection, "proc_Nothing")),
        "missingParameter": number_of(lambda: call(connection, "proc_SubmitJob")),
        "conversion": number_of(lambda: call(connection, "proc_SubmitJob", ("grain",))),
        "duplicate": number_of(lambda: add_job(connection, 1, 0)),
        "unknownTable": number_of(lambda: texts(connection, "select * from nothing")),
        "syntax": number_of(lambda: texts(connection, "select 1 +")),
        "raised": number_of(lambda: texts(connection, "raiserror('grain', 16, 1)")),
        "after": texts(connection, "select 1")[0][0][0],
    }


def cancel():
    """A query that takes too long is cancelled by an attention, and the connection stays."""
    connection = connect("TranslationServices", timeout=1)
    cancelled = False
    try:
        texts(connection, "waitfor delay '00:02:00'")
    except pytds.TimeoutError:
        cancelled = True
    return {"cancelled": cancelled, "after": texts(connection, "select 1")[0][0][0]}


def transaction(connection):
    count = lambda: len([row for row in jobs(connection, False) if row[0] == 3])
    connection.autocommit = False
    add_job(connection, 3, 0)
    inside = count()
    connection.rollback()
    connection.autocommit = True
    return {"inside": inside, "after": count()}


def pool():
    answers = []
    for number in (1, 2, 3):
        connection = connect("TranslationServices", pooling=True)
        answers.append(texts(connection, "select %d" % number)[0][0][0])
        texts(connection, "create table #left_over (n int)")
        connection.close()
    return {"answers": answers}


def bulk(connection):
    texts(connection, "create table #grain (id int not null, name nvarchar(50))")
    columns = [pytds.Column("id", type=IntType()), pytds.Column("name", type=NVarCharType(size=50))]
    with connection.cursor() as cursor:
        cursor.copy_to(
            data=[(1, "one"), (2, None), (3, "three"), (4, GRAIN)], table_or_view="#grain", columns=columns,
        )
    rows = [list(row) for row in texts(connection, "select id, name from #grain order by id")[0]]
    return {"rows": rows[:3], "text": rows[3][1], "links": bulk_links(connection)}


def bulk_links(connection):
    names = ("CrawlID", "SourceDocID", "SourceUserID", "TargetUserID", "Pid")
    wide = ("SourceUserID", "TargetUserID")
    columns = [pytds.Column(name, type=BigIntType() if name in wide else IntType()) for name in names]
    table = "MSSColleagueLinks"
    texts(connection, "use Search_CrawlStore")
    with connection.cursor() as cursor:
        cursor.copy_to(data=[(7, 1, None, 10, 394), (7, 2, 20, 30, -1)], table_or_view=table, columns=columns)
    query = "select %s from %s order by LinkID delete %s use TranslationServices" % (", ".join(names), table, table)
    return [list(row) for row in texts(connection, query)[0]]


def metadata(connection):
    rows = call(connection, "sp_sproc_columns", ("proc_AddJob",))[2][0]
    return {"parameters": {row[3]: row[6] for row in rows if row[3] != "@RETURN_VALUE"}}


def tables(connection):
    columns = [pytds.Column(name="id", type=IntType())]
    table = pytds.TableValuedParam(type_name="dbo.JobList", columns=columns, rows=[(1,)])
    return {
        "number": number_of(lambda: call(connection, "proc_SubmitJob", (table,))),
        "after": texts(connection, "select 1")[0][0][0],
        "passed": passed(),
    }


def passed():
    with connect("tempdb") as connection, connection.cursor() as cursor:
        cursor.execute("create type dbo.Words as table (id int not null primary key, word nvarchar(40))")
        columns = [pytds.Column(name="id", type=IntType()), pytds.Column(name="word", type=NVarCharType(size=40))]
        rows = [(1, "one"), (2, "zwei")]
        table = pytds.TableValuedParam(type_name="dbo.Words", columns=columns, rows=rows)
        cursor.execute("select count(*), max(word) from %s", (table,))
        row = list(cursor.fetchone())
        cursor.execute("drop type dbo.Words")
        return row


tell("client", lambda: {"version": pytds.__version__})
translations = connect("TranslationServices")
tell("login", lambda: dict(zip(("user", "encrypted", "protocol"), texts(translations, CONNECTION)[0][0])))
tell("refused", lambda: {"number": number_of(lambda: connect("master", "wrong"))})
tell("databases", lambda: {"names": [row[0] for row in texts(translations, "select name from sys.databases")[0]]})
tell("procedures", lambda: {"names": [row[2].split(";")[0] for row in call(translations, "sp_stored_procedures")[2][0]]})
tell("translation", lambda: translation(translations))
tell("word", lambda: word(connect("WordAutomationServices")))
farms = connect("SharePoint_Config")
tell("config", lambda: configuration(farms))
tell("sets", lambda: {"rows": [len(rows) for rows in call(farms, "proc_getNewObjects", (pytds.Binary(bytes(8)),))[2]]})
tell("nulls", lambda: nulls(translations))
tell("long", lambda: long_value(farms))
tell("errors", lambda: errors(translations))
tell("cancel", cancel)
tell("transaction", lambda: transaction(translations))
tell("pool", pool)
tell("bulk", lambda: bulk(translations))
tell("metadata", lambda: metadata(translations))
tell("tables", lambda: tables(translations))
