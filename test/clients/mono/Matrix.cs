using System;
using System.Collections.Generic;
using System.Data;
using System.Data.SqlClient;
using System.Data.SqlTypes;
using System.Linq;
using System.Threading.Tasks;
using System.Transactions;
using static Client;

/// <summary>What .NET code does with System.Data.SqlClient besides calling procedures.</summary>
public static class Matrix {
  static readonly Guid Some = new Guid("00112233-4455-6677-8899-aabbccddeeff");

  /// <summary>A value of every type, with the declaration of its parameter.</summary>
  static readonly object[][] Values = {
    new object[] { SqlDbType.BigInt, "bigint", -9007199254740993L }, new object[] { SqlDbType.Int, "int", -7 },
    new object[] { SqlDbType.SmallInt, "smallint", (short) -300 }, new object[] { SqlDbType.TinyInt, "tinyint", (byte) 200 },
    new object[] { SqlDbType.Bit, "bit", true }, new object[] { SqlDbType.Float, "float", -1.5e300 },
    new object[] { SqlDbType.Real, "real", 0.25f }, new object[] { SqlDbType.Decimal, "decimal(18,4)", -12345.6789m },
    new object[] { SqlDbType.Money, "money", 922337203685477.5807m }, new object[] { SqlDbType.SmallMoney, "smallmoney", -1.5m },
    new object[] { SqlDbType.DateTime, "datetime", new DateTime(2024, 2, 29, 23, 59, 59, 997) },
    new object[] { SqlDbType.SmallDateTime, "smalldatetime", new DateTime(2024, 2, 29, 23, 59, 0) },
    new object[] { SqlDbType.Date, "date", new DateTime(1, 1, 1) },
    new object[] { SqlDbType.Time, "time(7)", TimeSpan.FromTicks(863999999999) },
    new object[] { SqlDbType.DateTime2, "datetime2(7)", DateTime.MaxValue },
    new object[] { SqlDbType.DateTimeOffset, "datetimeoffset(7)", new DateTimeOffset(2024, 2, 29, 1, 2, 3, TimeSpan.FromMinutes(-90)) },
    new object[] { SqlDbType.UniqueIdentifier, "uniqueidentifier", Some },
    new object[] { SqlDbType.NVarChar, "nvarchar(100)", "Grüße 中 🌾" }, new object[] { SqlDbType.NChar, "nchar(3)", "中 x" },
    new object[] { SqlDbType.VarChar, "varchar(100)", "Grüße €" }, new object[] { SqlDbType.Char, "char(3)", "abc" },
    new object[] { SqlDbType.NVarChar, "nvarchar(max)", new string('中', 9000) },
    new object[] { SqlDbType.VarChar, "varchar(max)", new string('x', 9000) },
    new object[] { SqlDbType.VarBinary, "varbinary(100)", new byte[] { 0, 255 } },
    new object[] { SqlDbType.Binary, "binary(2)", new byte[] { 1, 2 } },
    new object[] { SqlDbType.VarBinary, "varbinary(max)", new byte[9000] },
    new object[] { SqlDbType.Xml, "xml", "<a b=\"1\">t</a>" }, new object[] { SqlDbType.Variant, "sql_variant", 5 },
    new object[] { SqlDbType.Variant, "sql_variant", 1.25m },
  };

  /// <summary>Every type in, out and back: as a parameter, an output value, a nullable column and one that is never NULL.</summary>
  static Dictionary<string, object> Types(SqlConnection connection) {
    var wrong = new List<string>();
    foreach (var one in Values) {
      foreach (var value in new[] { one[2], DBNull.Value }) {
        var declaration = (string) one[1];
        var never = value is DBNull || declaration == "xml" ? "null" : "isnull(@in, @in)";
        using (var command = new SqlCommand($"set @out = @in; select @in as a, {never} as b", connection)) {
          command.Parameters.Add(Sized("@in", one, value));
          var written = Sized("@out", one, DBNull.Value);
          written.Direction = ParameterDirection.InputOutput;
          command.Parameters.Add(written);
          var row = ReadAll(command)[0];
          if (!Same(row[0], value)) wrong.Add($"{declaration} column {row[0]}");
          if (never != "null" && !Same(row[1], value)) wrong.Add($"{declaration} second column {row[1]}");
          if (!Same(written.Value, value)) wrong.Add($"{declaration} output {written.Value}");
        }
      }
      using (var command = new SqlCommand($"declare @t table (v {one[1]} not null); insert @t values (@in); select v from @t", connection)) {
        command.Parameters.Add(Sized("@in", one, one[2]));
        if (!Same(ReadAll(command)[0][0], one[2])) wrong.Add($"{one[1]} NOT NULL column");
      }
    }
    return Facts("wrong", wrong);
  }

  static SqlParameter Sized(string name, object[] one, object value) {
    var parameter = new SqlParameter(name, (SqlDbType) one[0]) { Value = value };
    var declaration = (string) one[1];
    if (declaration.Contains("(max)")) parameter.Size = -1;
    else if (declaration.Contains("char") || declaration.Contains("binary"))
      parameter.Size = int.Parse(declaration.Split('(', ')')[1]);
    if (parameter.SqlDbType == SqlDbType.Decimal) {
      parameter.Precision = 18;
      parameter.Scale = 4;
    }
    return parameter;
  }

  static List<object[]> ReadAll(SqlCommand command) {
    using (var reader = command.ExecuteReader()) {
      var rows = new List<object[]>();
      while (reader.Read()) {
        var row = new object[reader.FieldCount];
        reader.GetValues(row);
        rows.Add(row);
      }
      return rows;
    }
  }

  static bool Same(object found, object wanted) {
    var bytes = wanted as byte[];
    if (bytes != null) return found is byte[] && bytes.SequenceEqual((byte[]) found);
    if (wanted is DateTime && found is DateTime) return ((DateTime) wanted).Ticks == ((DateTime) found).Ticks;
    return Equals(found, wanted);
  }

  static Dictionary<string, object> Status(SqlConnection connection) {
    Query(connection, "create table #keys (id int not null primary key)");
    Query(connection, "create procedure #put @id int as insert #keys values (@id)");
    var status = new List<object>();
    for (var time = 0; time < 2; time++) {
      using (var command = new SqlCommand("#put", connection) { CommandType = CommandType.StoredProcedure }) {
        command.Parameters.Add(P("@id", SqlDbType.Int, 1));
        var returned = command.Parameters.Add("@rc", SqlDbType.Int);
        returned.Direction = ParameterDirection.ReturnValue;
        var number = NumberOf(() => command.ExecuteNonQuery());
        status.Add(new[] { number, returned.Value });
      }
    }
    return Facts("status", status);
  }

  /// <summary>SqlDataAdapter and SqlCommandBuilder: a table is read, changed in memory and written back.</summary>
  static Dictionary<string, object> Adapter(SqlConnection connection) {
    Query(connection, "create table #rows (id int not null primary key, name nvarchar(20) null, amount decimal(9,2) not null)");
    Query(connection, "insert #rows values (1, N'one', 1.5), (2, null, 2.5), (3, N'three', 3.5)");
    using (var adapter = new SqlDataAdapter("select id, name, amount from #rows", connection) { MissingSchemaAction = MissingSchemaAction.AddWithKey })
    using (var builder = new SqlCommandBuilder(adapter)) {
      var table = new DataTable();
      adapter.Fill(table);
      var key = table.PrimaryKey.Select(column => column.ColumnName).ToList();
      table.Rows.Find(1)["name"] = "eins";
      table.Rows.Find(2).Delete();
      table.Rows.Add(4, "four", 4.25m);
      var changed = adapter.Update(table);
      return Facts("key", key, "changed", changed, "rows", Query(connection, "select id, name, amount from #rows order by id"));
    }
  }

  static Dictionary<string, object> Bulk(SqlConnection connection) {
    Query(connection, "create table #bulk (i int not null, b bigint null, d decimal(9,2) null, f float null, t datetime null, "
      + "g uniqueidentifier null, n nvarchar(50) null, v varchar(max) null, y varbinary(max) null, k bit null, x xml null)");
    var table = new DataTable();
    foreach (var type in new[] { typeof(int), typeof(long), typeof(decimal), typeof(double), typeof(DateTime), typeof(Guid), typeof(string), typeof(string), typeof(byte[]), typeof(bool), typeof(string) })
      table.Columns.Add(null, type);
    for (var at = 0; at < 500; at++)
      table.Rows.Add(at, 1L << 40, 1.25m, 0.5, new DateTime(2024, 1, 2), Some, "中 " + at, new string('v', 9000), new byte[9000], at % 2 == 0, "<a/>");
    table.Rows.Add(500, DBNull.Value, DBNull.Value, DBNull.Value, DBNull.Value, DBNull.Value, DBNull.Value, DBNull.Value, DBNull.Value, DBNull.Value, DBNull.Value);
    var copied = 0L;
    using (var copy = new SqlBulkCopy(connection, SqlBulkCopyOptions.TableLock | SqlBulkCopyOptions.CheckConstraints, null) { DestinationTableName = "#bulk", BatchSize = 100, NotifyAfter = 100 }) {
      copy.SqlRowsCopied += (_, told) => copied = told.RowsCopied;
      copy.WriteToServer(table);
    }
    var row = Query(connection, "select i, b, d, f, t, g, n, len(v), datalength(y), k, x from #bulk where i = 499")[0];
    return Facts("copied", copied, "count", Single(connection, "select count(*) from #bulk"), "row", row,
      "nulls", Single(connection, "select count(*) from #bulk where b is null and d is null and v is null and x is null"));
  }

  static Dictionary<string, object> Savepoints(SqlConnection connection) {
    Query(connection, "create table #saved (id int not null)");
    using (var transaction = connection.BeginTransaction(System.Data.IsolationLevel.Serializable, "outer")) {
      Query(connection, "insert #saved values (1)", transaction);
      transaction.Save("point");
      Query(connection, "insert #saved values (2)", transaction);
      transaction.Rollback("point");
      Query(connection, "insert #saved values (3)", transaction);
      transaction.Commit();
    }
    return Facts("rows", Query(connection, "select id from #saved order by id").Select(row => row[0]).ToList(),
      "open", Single(connection, "select @@trancount"));
  }

  static Dictionary<string, object> Scope() {
    var counts = new List<object>();
    foreach (var completes in new[] { false, true }) {
      using (var scope = new TransactionScope()) {
        // It stays open beyond the scope: Mono ends a delegated transaction on a connection that is closed by then.
        var connection = Connect("tempdb", "Pooling=False;Enlist=True");
        counts.Add(Single(connection, "select @@trancount"));
        if (completes) scope.Complete();
      }
    }
    return Facts("counts", counts);
  }

  static Dictionary<string, object> Reset() {
    var seen = new List<object>();
    for (var time = 0; time < 2; time++) {
      using (var connection = Connect("tempdb", "Max Pool Size=1;Application Name=reset")) {
        seen.Add(new[] {
          Single(connection, "select @@spid") is short, Single(connection, "select object_id('tempdb..#left')"),
          Single(connection, "select @@trancount"), Single(connection, "select @@lock_timeout"), Single(connection, "select db_name()"),
        });
        Query(connection, "create table #left (id int) begin tran set lock_timeout 5 use master");
      }
    }
    return Facts("seen", seen);
  }

  static Dictionary<string, object> Timeout(SqlConnection connection) {
    using (var command = new SqlCommand("waitfor delay '00:00:30'", connection) { CommandTimeout = 1 }) {
      var number = NumberOf(() => command.ExecuteNonQueryAsync().GetAwaiter().GetResult());
      return Facts("number", number);
    }
  }

  static Dictionary<string, object> Schema(SqlConnection connection) {
    var missing = new List<string>();
    var names = connection.GetSchema().Rows.Cast<DataRow>().Select(row => (string) row["CollectionName"]).ToList();
    foreach (var name in names) {
      try {
        connection.GetSchema(name);
      } catch (Exception error) {
        missing.Add(name + ": " + (error.InnerException ?? error).Message.Split('\n')[0]);
      }
    }
    return Facts("collections", names.Count, "missing", missing);
  }

  static Dictionary<string, object> Xml(SqlConnection connection) {
    using (var command = new SqlCommand("select 1 as a, N'ü' as b for xml raw, root('r')", connection))
    using (var reader = command.ExecuteXmlReader()) {
      reader.Read();
      var raw = reader.ReadOuterXml();
      return Facts("raw", raw);
    }
  }

  static Dictionary<string, object> Async() {
    var tasks = Enumerable.Range(1, 20).Select(async at => {
      using (var connection = new SqlConnection(ConnectionString("tempdb", "Max Pool Size=5"))) {
        await connection.OpenAsync();
        using (var command = new SqlCommand("select @n * 2", connection)) {
          command.Parameters.AddWithValue("@n", at);
          using (var reader = await command.ExecuteReaderAsync()) {
            await reader.ReadAsync();
            return await reader.GetFieldValueAsync<int>(0);
          }
        }
      }
    });
    return Facts("sum", Task.WhenAll(tasks).GetAwaiter().GetResult().Sum());
  }

  static Dictionary<string, object> Columns(SqlConnection connection) {
    Query(connection, "create table #described (id int identity not null primary key, name nvarchar(20) null, v rowversion)");
    Func<CommandBehavior, string, List<object[]>> columns = (behavior, text) => {
      using (var command = new SqlCommand(text, connection))
      using (var reader = command.ExecuteReader(behavior)) {
        return reader.GetSchemaTable().Rows.Cast<DataRow>().Select(row => new[] {
          row["ColumnName"], row["AllowDBNull"], row["IsKey"], row["IsIdentity"], row["IsRowVersion"], row["BaseTableName"], row["IsHidden"],
          row["IsReadOnly"],
        }).ToList();
      }
    };
    const string own = "select id, name, v from #described";
    return Facts("keyInfo", columns(CommandBehavior.KeyInfo, own), "schemaOnly", columns(CommandBehavior.SchemaOnly, own),
      "hidden", columns(CommandBehavior.KeyInfo, "select Name from TranslationServices.dbo.Jobs"));
  }

  public static void Main() {
    using (var connection = Connect("tempdb")) {
      Tell("types", () => Types(connection));
      Tell("status", () => Status(connection));
      Tell("adapter", () => Adapter(connection));
      Tell("bulk", () => Bulk(connection));
      Tell("savepoints", () => Savepoints(connection));
      Tell("scope", Scope);
      Tell("reset", Reset);
      Tell("schema", () => Schema(connection));
      Tell("xml", () => Xml(connection));
      Tell("async", Async);
      Tell("columns", () => Columns(connection));
      Tell("timeout", () => Timeout(connection));
    }
  }
}
