"""pymssql: DB-API over FreeTDS' DB-Library. It has no way to a return code but to select it."""

import datetime
import uuid

import pymssql

from scenario import *


def connect(database, password=PASSWORD, timeout=0):
    return pymssql.connect(
        server=HOST, port=str(PORT), user="sa", password=password, database=database, timeout=timeout,
        login_timeout=60, autocommit=True, charset="UTF-8",
    )


def texts(connection, query, parameters=()):
    """Runs a batch; tells the rows of every result set."""
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        sets = []
        while True:
            if cursor.description is not None:
                sets.append(cursor.fetchall())
            if not cursor.nextset():
                return sets


def status(connection, call, parameters=()):
    """The return code of a call in a batch."""
    return texts(connection, "declare @rc int; exec @rc = " + call + "; select @rc", parameters)[-1][0][0]


def add_job(connection, job, items, name=GRAIN):
    return status(
        connection,
        "proc_AddJob @JobId = %s, @UserId = %s, @UserToken = 0x1234567890, @PartitionId = %s, @Settings = %s, "
        "@Name = %s, @ItemCount = %s, @MaxItemsPerDay = 1000, @MaxItemsPerPartitionPerDay = 100",
        (job, "user@contoso.com", uuid.UUID(PARTITION), "<settings/>", name, items),
    )


def jobs(connection, submitted):
    with connection.cursor() as cursor:
        cursor.callproc("proc_GetJobs", (PARTITION, None, False, submitted))
        return list(cursor)


def add_group(connection, document):
    return status(connection, "proc_AddGroup 1, 1, 'http://contoso.com', 'http://contoso.com', 2, %s", (document,))


def translation(connection):
    added = add_job(connection, 1, 2)
    grouped = add_group(connection, TRANSLATION_GROUP)
    submitted = status(connection, "proc_SubmitJob %s", (1,))
    job = jobs(connection, True)[0]
    batch = texts(
        connection, "exec proc_GetConversionBatch %s, %s", (10, datetime.datetime(2008, 1, 31, 1, 1, 1))
    )[0]
    day = (PARTITION, 9, datetime.date(2026, 3, 3))
    status(connection, "proc_UpdateItemCount %s, %s, %s, 7", day)
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
        "counted": status(connection, "proc_GetItemCount %s, %s, %s", day),
    }


def word(connection):
    added = status(
        connection,
        "proc_AddJob 1, %s, %s, %s, %s, %s",
        (bytearray(b"\xab" * 32), bytearray.fromhex("010500"), bytearray(b"\xff"), uuid.UUID(PARTITION), "<settings/>"),
    )
    add_group(connection, WORD_GROUP)
    status(connection, "proc_SubmitJob 1")
    active = status(connection, "proc_HasActiveJobs")
    token = texts(connection, "exec proc_UpdateConversionBatch %s", (WORD_BATCH,))[0][0]
    return {
        "added": added,
        "active": active,
        "token": {"header": token[5].hex(), "sid": token[6].hex(), "groups": token[7].hex()},
    }


def put_object(connection, identifier, version):
    rows = texts(
        connection,
        "declare @rc int, @version binary(8); exec @rc = proc_putObject @Id = %s, @ParentId = %s, @ClassId = %s, "
        "@Name = %s, @Status = 0, @Version = %s, @Properties = %s, @AutoResolveMissingTypes = 0, "
        "@ExistingObject = null, @NewVersion = @version output; select @rc, @version",
        (identifier, None, CLASS, "Farm", version, PROPERTIES),
    )
    return rows[0][0]


def configuration(connection):
    registered = status(connection, "proc_putClass %s, %s, %s", (CLASS, None, "Example.Farm"))
    stored, version = put_object(connection, OBJECT, None)
    updated, _ = put_object(connection, OBJECT, bytearray(version))
    taken, _ = put_object(connection, OTHER, None)
    site, (sites,) = texts(
        connection,
        "declare @count int; exec proc_putSiteMap %s, %s, %s, null, '/sites/grain', 0, null, 0, @count output; "
        "select @count",
        (APPLICATION, DATABASE, SITE),
    )
    read = texts(connection, "exec proc_getObject %s", (OBJECT,))[0][0]
    assert site[0][0] == uuid.UUID(SITE), site
    return {
        "class": registered,
        "object": stored,
        "version": version.hex(),
        "updated": updated,
        "taken": taken,
        "sites": sites[0],
        "name": read[3],
        "properties": read[6],
    }


def nulls(connection):
    sent = add_job(connection, 2, 0, None)
    name = [row[4] for row in jobs(connection, False) if row[0] == 2][0]
    with connection.cursor() as cursor:
        cursor.callproc("proc_GetItems", (1, 1, PARTITION, True, True, True, True, True, True))
        return {"sent": sent, "name": name, "columns": list(list(cursor)[0][:4])}


def long_value(connection):
    sent = status(connection, "proc_putFileSegment %s, %s, 0", (OBJECT, bytearray(LONG)))
    return long_facts(sent, texts(connection, "exec proc_getFile %s", (OBJECT,))[0][0][0])


def number_of(run):
    try:
        run()
    except pymssql.Error as error:
        number = error.args[0]
        return number[0] if isinstance(number, tuple) else number
    return None


def errors(connection):
    return {
        "unknownProcedure": number_of(lambda: connection.cursor().callproc("proc_Nothing", ())),
        "missingParameter": number_of(lambda: connection.cursor().callproc("proc_SubmitJob", ())),
        "conversion": number_of(lambda: connection.cursor().callproc("proc_SubmitJob", ("grain",))),
        "duplicate": number_of(lambda: add_job(connection, 1, 0)),
        "unknownTable": number_of(lambda: texts(connection, "select * from nothing")),
        "syntax": number_of(lambda: texts(connection, "select 1 +")),
        "raised": number_of(lambda: texts(connection, "raiserror('grain', 16, 1)")),
        "after": texts(connection, "select 1")[0][0][0],
    }


def cancel():
    """pymssql has no cancel; a query timeout (DB-Library's error 20003) is how its users end a long call."""
    cancelled = False
    try:
        texts(connect("TranslationServices", timeout=1), "waitfor delay '00:02:00'")
    except pymssql.OperationalError as error:
        cancelled = "message 20003" in str(error)
    return {"cancelled": cancelled, "after": texts(connect("TranslationServices"), "select 1")[0][0][0]}


def transaction(connection):
    count = lambda: len([row for row in jobs(connection, False) if row[0] == 3])
    connection.autocommit(False)
    add_job(connection, 3, 0)
    inside = count()
    connection.rollback()
    connection.autocommit(True)
    return {"inside": inside, "after": count()}


def bulk(connection):
    texts(connection, "create table #grain (id int not null, name varchar(50))")
    connection.bulk_copy("#grain", [(1, "one"), (2, None), (3, "three")])
    rows = [list(row) for row in texts(connection, "select id, name from #grain order by id")[0]]
    return {"rows": rows, "links": bulk_links(connection)}


def bulk_links(connection):
    table = "Search_CrawlStore.dbo.MSSColleagueLinks"
    # The column that the engine numbers comes first.
    connection.bulk_copy(table, [(7, 1, None, 10, 394), (7, 2, 20, 30, -1)], column_ids=[2, 3, 4, 5, 6])
    columns = "CrawlID, SourceDocID, SourceUserID, TargetUserID, Pid"
    query = "select %s from %s order by LinkID delete %s" % (columns, table, table)
    return [list(row) for row in texts(connection, query)[0]]


def metadata(connection):
    with connection.cursor(as_dict=True) as cursor:
        cursor.callproc("sp_sproc_columns", ("proc_AddJob",))
        rows = [row for row in cursor if row["COLUMN_NAME"] != "@RETURN_VALUE"]
    return {"parameters": {row["COLUMN_NAME"]: row["TYPE_NAME"] for row in rows}}


tell("client", lambda: {"version": pymssql.__version__})
translations = connect("TranslationServices")
tell("login", lambda: dict(zip(("user", "encrypted", "protocol"), texts(translations, CONNECTION)[0][0])))
tell("refused", lambda: {"number": number_of(lambda: connect("master", "wrong"))})
tell("databases", lambda: {"names": [row[0] for row in texts(translations, "select name from sys.databases")[0]]})
tell("procedures", lambda: {"names": [row[0] for row in texts(translations, "select name from sys.procedures")[0]]})
tell("translation", lambda: translation(translations))
tell("word", lambda: word(connect("WordAutomationServices")))
farms = connect("SharePoint_Config")
tell("config", lambda: configuration(farms))
tell("sets", lambda: {"rows": [len(rows) for rows in texts(farms, "exec proc_getNewObjects 0x0000000000000000")]})
tell("nulls", lambda: nulls(translations))
tell("long", lambda: long_value(farms))
tell("errors", lambda: errors(translations))
tell("cancel", cancel)
tell("transaction", lambda: transaction(translations))
tell("bulk", lambda: bulk(translations))
tell("metadata", lambda: metadata(translations))
