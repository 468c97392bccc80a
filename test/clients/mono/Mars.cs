using System;
using System.Collections.Generic;
using System.Data;
using System.Data.SqlClient;
using System.Linq;
using System.Threading.Tasks;
using static Client;

/// <summary>What .NET code does with MultipleActiveResultSets=true.</summary>
public static class Mars {
  const string Numbers = "with n as (select 1 as i union all select i + 1 from n where i < 3000) "
    + "select i, replicate(N'x', 100) from n option (maxrecursion 0)";

  static SqlConnection Open(string more = "Pooling=False") => Connect("tempdb", more + ";MultipleActiveResultSets=True");

  static object Scalar(SqlConnection connection, string text, SqlTransaction transaction = null) {
    using (var command = new SqlCommand(text, connection, transaction)) return command.ExecuteScalar();
  }

  static int NumberOf(Action run) {
    try {
      run();
      return 0;
    } catch (SqlException error) {
      return error.Number;
    }
  }

  /// <summary>Two readers that are read by turns.</summary>
  static Dictionary<string, object> Readers() {
    using (var connection = Open())
    using (var first = new SqlCommand(Numbers, connection).ExecuteReader())
    using (var second = new SqlCommand(Numbers, connection).ExecuteReader()) {
      long sum = 0;
      var rows = 0;
      while (first.Read() && second.Read()) {
        sum += first.GetInt32(0) + second.GetInt32(0);
        rows++;
      }
      return Facts("rows", rows, "sum", sum);
    }
  }

  /// <summary>A command for every row of a reader; the temporary table is everybody's.</summary>
  static Dictionary<string, object> Loop() {
    using (var connection = Open()) {
      Scalar(connection, "create table #copy (n int)");
      var sessions = new HashSet<object>();
      using (var reader = new SqlCommand(Numbers, connection).ExecuteReader()) {
        while (reader.Read()) {
          if (reader.GetInt32(0) % 10 != 0) continue;
          using (var insert = new SqlCommand("insert #copy values (@n); select @@spid", connection)) {
            insert.Parameters.Add(P("@n", SqlDbType.Int, reader.GetInt32(0)));
            sessions.Add(insert.ExecuteScalar());
          }
        }
      }
      return Facts("copied", Scalar(connection, "select count(*) from #copy"), "sessions", sessions.Count);
    }
  }

  /// <summary>One transaction over two commands; it cannot be committed while a reader is open in it.</summary>
  static Dictionary<string, object> Transactions() {
    using (var connection = Open()) {
      Scalar(connection, "create table #t (n int)");
      var numbers = new List<int>();
      foreach (var isKept in new[] { true, false }) {
        using (var transaction = connection.BeginTransaction()) {
          using (var reader = new SqlCommand(Numbers, connection, transaction).ExecuteReader()) {
            reader.Read();
            Scalar(connection, "insert #t values (1), (2)", transaction);
            numbers.Add(NumberOf(() => transaction.Commit()));
          }
          if (isKept) transaction.Commit();
          else transaction.Rollback();
        }
      }
      using (var reader = new SqlCommand(Numbers, connection).ExecuteReader()) {
        reader.Read();
        numbers.Add(NumberOf(() => connection.BeginTransaction()));
      }
      numbers.Add(NumberOf(() => Scalar(connection, "begin transaction")));
      return Facts("numbers", numbers, "rows", Scalar(connection, "select count(*) from #t"));
    }
  }

  /// <summary>One command is cancelled, the reader beside it goes on.</summary>
  static Dictionary<string, object> Cancel() {
    using (var connection = Open())
    using (var reader = new SqlCommand(Numbers, connection).ExecuteReader()) {
      reader.Read();
      var number = 0;
      using (var slow = new SqlCommand("waitfor delay '00:01:00'", connection) { CommandTimeout = 1 })
        number = NumberOf(() => slow.ExecuteNonQuery());
      var rows = 1;
      while (reader.Read()) rows++;
      return Facts("number", number, "rows", rows);
    }
  }

  /// <summary>Rows of a reader are copied over the same connection while they are read.</summary>
  static Dictionary<string, object> Bulk() {
    using (var connection = Open()) {
      Scalar(connection, "create table #target (i int, x nvarchar(200))");
      using (var reader = new SqlCommand(Numbers, connection).ExecuteReader())
      using (var copy = new SqlBulkCopy(connection) { DestinationTableName = "#target" }) copy.WriteToServer(reader);
      return Facts("rows", Scalar(connection, "select count(*) from #target"));
    }
  }

  /// <summary>Asynchronous commands at once over one connection, and pooled connections one after another.</summary>
  static Dictionary<string, object> Async() {
    using (var connection = Open()) {
      var tasks = Enumerable.Range(1, 20).Select(async number => {
        using (var command = new SqlCommand($"select {number}", connection)) return (int) await command.ExecuteScalarAsync();
      });
      var sum = Task.WhenAll(tasks).Result.Sum();
      var answers = new List<object>();
      for (var times = 0; times < 3; times++)
        using (var pooled = Open("Pooling=True")) {
          answers.Add(Scalar(pooled, "select count(*) from tempdb.sys.tables where name like '#left%'"));
          Scalar(pooled, "create table #left (n int) set datefirst 3");
        }
      return Facts("sum", sum, "answers", answers);
    }
  }

  public static void Main() {
    Tell("readers", Readers);
    Tell("loop", Loop);
    Tell("transactions", Transactions);
    Tell("cancel", Cancel);
    Tell("bulk", Bulk);
    Tell("async", Async);
  }
}
