using System;
using System.Collections.Generic;
using System.Data;
using System.Data.SqlClient;
using System.Diagnostics;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using static Client;

/// <summary>System.Data.SqlClient of Mono: procedures by SqlCommand, with return codes, output values, pools and bulk copy.</summary>
public static class Scenario {
  const string Grain = "Grüße 中 🌾 𠀋";
  static readonly Guid Partition = new Guid("93572c0a-d9e1-1395-dab3-932eac7ba30c");
  static readonly Guid Class = new Guid("00000000-0000-0000-0000-00000000c1a5");
  static readonly Guid Object = new Guid("00000000-0000-0000-0000-000000000b1e");
  static readonly Guid Other = new Guid("00000000-0000-0000-0000-000000000b1f");
  const string Translation = "http://schemas.microsoft.com/office/server/translation/2010/11/";
  const string Word = "http://schemas.microsoft.com/office/server/word/2009/08/";
  const string TranslationGroup = "<group xmlns=\"" + Translation + "databaseJobAdd\">"
    + "<item id=\"1\" in=\"a.docx\" out=\"a_Thai.docx\" /><item id=\"2\" in=\"b.docx\" out=\"b_Thai.docx\" /></group>";
  const string WordGroup =
    "<group xmlns=\"" + Word + "databaseJobAdd\"><item id=\"1\" in=\"a.docx\" out=\"a.pdf\" /></group>";
  const string WordBatch = "<batch xmlns=\"" + Word + "databaseBatchUpdate\"><start><item job=\"1\" group=\"1\" "
    + "id=\"1\" wsi=\"b00ae9a1-0474-474e-b348-f6a8bcc95331\" /></start><failed /></batch>";

  static SqlParameter[] Job(long job, int items, string name) => new[] {
    P("@JobId", SqlDbType.BigInt, job), P("@UserId", SqlDbType.NVarChar, "user@contoso.com"),
    P("@UserToken", SqlDbType.VarBinary, new byte[] { 0x12, 0x34, 0x56, 0x78, 0x90 }),
    P("@PartitionId", SqlDbType.UniqueIdentifier, Partition), P("@Settings", SqlDbType.NVarChar, "<settings/>"),
    P("@Name", SqlDbType.NVarChar, name), P("@ItemCount", SqlDbType.Int, items),
    P("@MaxItemsPerDay", SqlDbType.Int, 1000), P("@MaxItemsPerPartitionPerDay", SqlDbType.Int, 100),
  };

  static int AddJob(SqlConnection connection, long job, int items, string name) =>
    Call(connection, "proc_AddJob", null, Job(job, items, name));

  static int AddGroup(SqlConnection connection, string document) => Call(connection, "proc_AddGroup", null,
    P("@JobId", SqlDbType.BigInt, 1L), P("@GroupId", SqlDbType.SmallInt, (short) 1),
    P("@InputRoot", SqlDbType.NVarChar, "http://contoso.com"), P("@OutputRoot", SqlDbType.NVarChar, "http://contoso.com"),
    P("@MaxAttemptsCount", SqlDbType.SmallInt, (short) 2), P("@JobXml", SqlDbType.Xml, document));

  static List<object[]> Jobs(SqlConnection connection, bool submitted, SqlTransaction transaction = null) {
    var sets = new List<List<object[]>>();
    CallIn(transaction, connection, "proc_GetJobs", sets, P("@PartitionId", SqlDbType.UniqueIdentifier, Partition),
      P("@UserId", SqlDbType.NVarChar, null), P("@ActiveOnly", SqlDbType.Bit, false),
      P("@SubmittedOnly", SqlDbType.Bit, submitted));
    return sets[0];
  }

  static Dictionary<string, object> Translate(SqlConnection connection) {
    var added = AddJob(connection, 1, 2, Grain);
    var grouped = AddGroup(connection, TranslationGroup);
    var submitted = Call(connection, "proc_SubmitJob", null, P("@JobId", SqlDbType.BigInt, 1L));
    var job = Jobs(connection, true)[0];
    var batch = new List<List<object[]>>();
    Call(connection, "proc_GetConversionBatch", batch, P("@NumberOfConversionsInBatch", SqlDbType.Int, 10),
      P("@InProgressThreshold", SqlDbType.DateTime, new DateTime(2008, 1, 31, 1, 1, 1)));
    Func<SqlParameter[]> hour = () => new[] {
      P("@PartitionId", SqlDbType.UniqueIdentifier, Partition), P("@Hour", SqlDbType.Int, 9),
      P("@Date", SqlDbType.Date, new DateTime(2026, 3, 3)),
    };
    Call(connection, "proc_UpdateItemCount", null, hour().Append(P("@ItemCount", SqlDbType.Int, 7)).ToArray());
    return Facts("added", added, "grouped", grouped, "submitted", submitted, "limited", AddJob(connection, 9, 101, Grain),
      "job", Facts("id", job[0], "created", job[1], "cancelled", job[2], "submitted", job[3], "name", job[4]),
      "items", batch[0].Select(row => new[] { row[2], row[4] }).ToList(),
      "counted", Call(connection, "proc_GetItemCount", null, hour()));
  }

  static Dictionary<string, object> Convert(SqlConnection connection) {
    var header = Enumerable.Repeat((byte) 0xab, 32).ToArray();
    var added = Call(connection, "proc_AddJob", null, P("@JobId", SqlDbType.BigInt, 1L),
      P("@UserTokenHeader", SqlDbType.VarBinary, header), P("@UserTokenSid", SqlDbType.VarBinary, new byte[] { 1, 5, 0 }),
      P("@UserTokenGroups", SqlDbType.VarBinary, new byte[] { 0xff }),
      P("@PartitionId", SqlDbType.UniqueIdentifier, Partition), P("@Settings", SqlDbType.NVarChar, "<settings/>"));
    AddGroup(connection, WordGroup);
    Call(connection, "proc_SubmitJob", null, P("@JobId", SqlDbType.BigInt, 1L));
    var active = Call(connection, "proc_HasActiveJobs", null);
    var sets = new List<List<object[]>>();
    Call(connection, "proc_UpdateConversionBatch", sets, P("@BatchXml", SqlDbType.Xml, WordBatch));
    var token = sets[0][0];
    return Facts("added", added, "active", active, "token", Facts("header", token[5], "sid", token[6], "groups", token[7]));
  }

  static byte[] version;

  static int PutObject(SqlConnection connection, Guid id, byte[] old) {
    // As .NET code often does, the output parameter is named in another case than the procedure declares it.
    var written = Out("@newversion", SqlDbType.Timestamp, 8);
    var status = Call(connection, "proc_putObject", null, P("@Id", SqlDbType.UniqueIdentifier, id),
      P("@ParentId", SqlDbType.UniqueIdentifier, null), P("@ClassId", SqlDbType.UniqueIdentifier, Class),
      P("@Name", SqlDbType.NVarChar, "Farm"), P("@Status", SqlDbType.Int, 0), P("@Version", SqlDbType.Timestamp, old),
      P("@Properties", SqlDbType.NText, "<object>" + Grain + "</object>"),
      P("@AutoResolveMissingTypes", SqlDbType.Bit, false), Out("@ExistingObject", SqlDbType.UniqueIdentifier), written);
    version = written.Value as byte[];
    return status;
  }

  static Dictionary<string, object> Configure(SqlConnection connection) {
    var registered = Call(connection, "proc_putClass", null, P("@Id", SqlDbType.UniqueIdentifier, Class),
      P("@BaseClassId", SqlDbType.UniqueIdentifier, null), P("@FullName", SqlDbType.NVarChar, "Example.Farm"));
    var stored = PutObject(connection, Object, null);
    var first = version;
    var updated = PutObject(connection, Object, first);
    var taken = PutObject(connection, Other, null);
    var sites = Out("@CurrentDatabaseSiteCount", SqlDbType.Int);
    Call(connection, "proc_putSiteMap", null,
      P("@ApplicationId", SqlDbType.UniqueIdentifier, new Guid("00000000-0000-0000-0000-0000000000a1")),
      P("@DatabaseId", SqlDbType.UniqueIdentifier, new Guid("00000000-0000-0000-0000-0000000000db")),
      P("@SiteId", SqlDbType.UniqueIdentifier, new Guid("00000000-0000-0000-0000-00000000051e")),
      P("@SubscriptionId", SqlDbType.UniqueIdentifier, null), P("@Path", SqlDbType.NVarChar, "/sites/grain"),
      P("@Pairing", SqlDbType.TinyInt, (byte) 0), P("@RedirectUrl", SqlDbType.NVarChar, null),
      P("@HostHeaderIsSiteName", SqlDbType.Bit, false), sites);
    var sets = new List<List<object[]>>();
    Call(connection, "proc_getObject", sets, P("@Id", SqlDbType.UniqueIdentifier, Object));
    return Facts("class", registered, "object", stored, "version", Hex(first), "updated", updated, "taken", taken,
      "sites", sites.Value, "name", sets[0][0][3], "properties", sets[0][0][6]);
  }

  static Dictionary<string, object> Sets(SqlConnection connection) {
    var sets = new List<List<object[]>>();
    Call(connection, "proc_getNewObjects", sets, P("@NewestCachedVersion", SqlDbType.Timestamp, new byte[8]));
    return Facts("rows", sets.Select(rows => rows.Count).ToList());
  }

  static Dictionary<string, object> Nulls(SqlConnection connection) {
    var sent = AddJob(connection, 2, 0, null);
    var name = Jobs(connection, false).Single(row => (long) row[0] == 2)[4];
    var sets = new List<List<object[]>>();
    var switches = new[] { "@NotSubmitted", "@NotStarted", "@InProgress", "@Succeeded", "@Failed", "@Canceled" };
    Call(connection, "proc_GetItems", sets, new[] {
      P("@JobId", SqlDbType.BigInt, 1L), P("@GroupId", SqlDbType.SmallInt, (short) 1),
      P("@PartitionId", SqlDbType.UniqueIdentifier, Partition),
    }.Concat(switches.Select(one => P(one, SqlDbType.Bit, true))).ToArray());
    return Facts("sent", sent, "name", name, "columns", sets[0][0].Take(4).ToList());
  }

  static Dictionary<string, object> Long(SqlConnection connection) {
    var bytes = Enumerable.Range(0, 10485760).Select(at => (byte) "grain."[at % 6]).ToArray();
    var sent = Call(connection, "proc_putFileSegment", null, P("@ObjectId", SqlDbType.UniqueIdentifier, Object),
      P("@Bytes", SqlDbType.VarBinary, bytes), P("@Offset", SqlDbType.Int, 0));
    var sets = new List<List<object[]>>();
    Call(connection, "proc_getFile", sets, P("@ObjectId", SqlDbType.UniqueIdentifier, Object));
    var read = (byte[]) sets[0][0][0];
    return Facts("sent", sent, "length", read.Length, "sha256", Hex(SHA256.Create().ComputeHash(read)));
  }

  static Dictionary<string, object> Errors(SqlConnection connection) => Facts(
    "unknownProcedure", NumberOf(() => Call(connection, "proc_Nothing", null)),
    "missingParameter", NumberOf(() => Call(connection, "proc_SubmitJob", null)),
    "conversion", NumberOf(() => Call(connection, "proc_SubmitJob", null, P("@JobId", SqlDbType.NVarChar, "grain"))),
    "duplicate", NumberOf(() => AddJob(connection, 1, 0, null)),
    "unknownTable", NumberOf(() => Query(connection, "select * from nothing")),
    "syntax", NumberOf(() => Query(connection, "select 1 +")),
    "raised", NumberOf(() => Query(connection, "raiserror('grain', 16, 1)")),
    "after", Single(connection, "select 1"));

  static Dictionary<string, object> Cancel() {
    using (var connection = Connect("TranslationServices"))
    using (var command = new SqlCommand("waitfor delay '00:02:00'", connection))
    using (var stop = new CancellationTokenSource(1000)) {
      var watch = Stopwatch.StartNew();
      var cancelled = false;
      try {
        command.ExecuteNonQueryAsync(stop.Token).GetAwaiter().GetResult();
      } catch (Exception error) when (error is SqlException || error is TaskCanceledException) {
        cancelled = watch.Elapsed < TimeSpan.FromMinutes(1);
      }
      return Facts("cancelled", cancelled, "after", Single(connection, "select 1"));
    }
  }

  static Dictionary<string, object> Transact(SqlConnection connection) {
    using (var transaction = connection.BeginTransaction()) {
      CallIn(transaction, connection, "proc_AddJob", null, Job(3, 0, null));
      var inside = Jobs(connection, false, transaction).Count(row => (long) row[0] == 3);
      transaction.Rollback();
      return Facts("inside", inside, "after", Jobs(connection, false).Count(row => (long) row[0] == 3));
    }
  }

  static Dictionary<string, object> Prepare(SqlConnection connection) {
    var answers = new List<object>();
    using (var command = new SqlCommand("select cast(@n as varchar(9)) + ' ' + @letter", connection)) {
      command.Parameters.Add("@n", SqlDbType.Int);
      command.Parameters.Add("@letter", SqlDbType.NVarChar, 1);
      command.Prepare();
      for (var at = 0; at < 3; at++) {
        command.Parameters[0].Value = at + 1;
        command.Parameters[1].Value = "abc".Substring(at, 1);
        answers.Add(command.ExecuteScalar());
      }
    }
    return Facts("answers", answers);
  }

  static Dictionary<string, object> Pool() {
    var answers = new List<object>();
    for (var at = 1; at <= 3; at++) {
      using (var connection = Connect("TranslationServices", "Max Pool Size=1")) {
        answers.Add(Single(connection, "select " + at + " where @@trancount = 0"));
        Query(connection, "begin transaction");
      }
    }
    return Facts("answers", answers);
  }

  static Dictionary<string, object> Bulk(SqlConnection connection) {
    Query(connection, "create table #grain (id int not null, name nvarchar(50))");
    var table = new DataTable();
    table.Columns.Add("id", typeof(int));
    table.Columns.Add("name", typeof(string));
    table.Rows.Add(1, "one");
    table.Rows.Add(2, DBNull.Value);
    table.Rows.Add(3, "three");
    table.Rows.Add(4, Grain);
    using (var copy = new SqlBulkCopy(connection) { DestinationTableName = "#grain" }) copy.WriteToServer(table);
    var rows = Query(connection, "select id, name from #grain order by id");
    return Facts("rows", rows.Take(3).ToList(), "text", rows[3][1], "links", BulkLinks(connection));
  }

  static object BulkLinks(SqlConnection connection) {
    const string name = "Search_CrawlStore.dbo.MSSColleagueLinks";
    var table = new DataTable();
    foreach (var column in new[] { "CrawlID", "SourceDocID", "Pid" }) table.Columns.Add(column, typeof(int));
    foreach (var column in new[] { "SourceUserID", "TargetUserID" }) table.Columns.Add(column, typeof(long));
    table.Rows.Add(7, 1, 394, DBNull.Value, 10L);
    table.Rows.Add(7, 2, -1, 20L, 30L);
    using (var copy = new SqlBulkCopy(connection) { DestinationTableName = name }) {
      foreach (DataColumn column in table.Columns) copy.ColumnMappings.Add(column.ColumnName, column.ColumnName);
      copy.WriteToServer(table);
    }
    const string columns = "CrawlID, SourceDocID, SourceUserID, TargetUserID, Pid";
    var rows = Query(connection, "select " + columns + " from " + name + " order by LinkID");
    Query(connection, "delete " + name);
    return rows.ToList();
  }

  static Dictionary<string, object> Metadata(SqlConnection connection) {
    using (var command = new SqlCommand("proc_AddJob", connection) { CommandType = CommandType.StoredProcedure }) {
      SqlCommandBuilder.DeriveParameters(command);
      var parameters = new Dictionary<string, object>();
      foreach (SqlParameter parameter in command.Parameters) {
        if (parameter.Direction != ParameterDirection.ReturnValue)
          parameters.Add(parameter.ParameterName, parameter.SqlDbType.ToString().ToLowerInvariant());
      }
      return Facts("parameters", parameters);
    }
  }

  static Dictionary<string, object> Tables(SqlConnection connection) {
    var table = new DataTable();
    table.Columns.Add("id", typeof(int));
    table.Rows.Add(1);
    var number = NumberOf(() => {
      var argument = new SqlParameter("@JobId", SqlDbType.Structured) { Value = table, TypeName = "dbo.Ids" };
      Call(connection, "proc_SubmitJob", null, argument);
    });
    return Facts("number", number, "after", Single(connection, "select 1"), "passed", Passed());
  }

  static object[] Passed() {
    using (var connection = Connect("tempdb")) {
      Query(connection, "create type dbo.Words as table (id int not null primary key, word nvarchar(40))");
      var table = new DataTable();
      table.Columns.Add("id", typeof(int));
      table.Columns.Add("word", typeof(string));
      table.Rows.Add(1, "one");
      table.Rows.Add(2, "zwei");
      using (var command = connection.CreateCommand()) {
        command.CommandText = "select count(*), max(word) from @words";
        command.Parameters.Add(new SqlParameter("@words", SqlDbType.Structured) { Value = table, TypeName = "dbo.Words" });
        var row = new object[2];
        using (var reader = command.ExecuteReader()) {
          reader.Read();
          reader.GetValues(row);
        }
        Query(connection, "drop type dbo.Words");
        return row;
      }
    }
  }

  public static void Main() {
    Tell("client", () => Facts("version", typeof(SqlConnection).Assembly.GetName().Version));
    var translations = Connect("TranslationServices");
    Tell("login", () => {
      var row = Query(translations, "select suser_sname(), encrypt_option, protocol_version "
        + "from sys.dm_exec_connections where session_id = @@spid")[0];
      return Facts("user", row[0], "encrypted", row[1], "protocol", row[2]);
    });
    Tell("refused", () => Facts("number", NumberOf(() => Connect("master", "Pooling=False", "wrong"))));
    Tell("databases", () => Facts("names", Query(translations, "select name from sys.databases").Select(row => row[0])));
    Tell("procedures", () => Facts("names", Query(translations, "select name from sys.procedures").Select(row => row[0])));
    Tell("translation", () => Translate(translations));
    Tell("word", () => {
      using (var words = Connect("WordAutomationServices")) return Convert(words);
    });
    var farms = Connect("SharePoint_Config");
    Tell("config", () => Configure(farms));
    Tell("sets", () => Sets(farms));
    Tell("nulls", () => Nulls(translations));
    Tell("long", () => Long(farms));
    Tell("errors", () => Errors(translations));
    Tell("cancel", Cancel);
    Tell("transaction", () => Transact(translations));
    Tell("prepared", () => Prepare(translations));
    Tell("pool", Pool);
    Tell("bulk", () => Bulk(translations));
    Tell("metadata", () => Metadata(translations));
    Tell("tables", () => Tables(translations));
  }
}
