using System;
using System.Collections;
using System.Collections.Generic;
using System.Data;
using System.Data.SqlClient;
using System.Globalization;
using System.Linq;
using System.Text;

/// <summary>What the programs beside this file share: connections, calls, and the lines of JSON that they print.</summary>
public static class Client {
  public static string Given(string name) => Environment.GetEnvironmentVariable(name) ?? "";

  public static string ConnectionString(string database, string more = "Pooling=False", string password = null) {
    var options = Environment.GetEnvironmentVariable("CLIENT_OPTIONS") ?? "Encrypt=True;TrustServerCertificate=True";
    return $"Data Source={Given("GRANARY_HOST")},{Given("GRANARY_PORT")};User ID=sa;"
      + $"Password={password ?? Given("GRANARY_PASSWORD")};Initial Catalog={database};{options};{more}";
  }

  public static SqlConnection Connect(string database, string more = "Pooling=False", string password = null) {
    var connection = new SqlConnection(ConnectionString(database, more, password));
    connection.Open();
    return connection;
  }

  /// <summary>An argument with the type that a caller who knows the procedure gives it.</summary>
  public static SqlParameter P(string name, SqlDbType type, object value) =>
    new SqlParameter(name, type) { Value = value ?? DBNull.Value };

  public static SqlParameter Out(string name, SqlDbType type, int size = 0) {
    var parameter = new SqlParameter(name, type) { Direction = ParameterDirection.Output };
    if (size != 0) parameter.Size = size;
    return parameter;
  }

  /// <summary>Calls a procedure and tells its return code; its result sets are added to `sets`.</summary>
  public static int Call(SqlConnection connection, string name, List<List<object[]>> sets, params SqlParameter[] arguments) =>
    CallIn(null, connection, name, sets, arguments);

  public static int CallIn(
    SqlTransaction transaction, SqlConnection connection, string name, List<List<object[]>> sets, params SqlParameter[] arguments
  ) {
    using (var command = new SqlCommand(name, connection, transaction) { CommandType = CommandType.StoredProcedure }) {
      command.Parameters.AddRange(arguments);
      var status = command.Parameters.Add("@RETURN_VALUE", SqlDbType.Int);
      status.Direction = ParameterDirection.ReturnValue;
      using (var reader = command.ExecuteReader()) {
        do {
          if (reader.FieldCount == 0) continue;
          var rows = ReadRows(reader);
          if (sets != null) sets.Add(rows);
        } while (reader.NextResult());
      }
      command.Parameters.Clear();
      return (int) status.Value;
    }
  }

  public static List<object[]> ReadRows(SqlDataReader reader) {
    var rows = new List<object[]>();
    while (reader.Read()) {
      var row = new object[reader.FieldCount];
      reader.GetValues(row);
      rows.Add(row.Select(value => value is DBNull ? null : value).ToArray());
    }
    return rows;
  }

  public static List<object[]> Query(SqlConnection connection, string text, SqlTransaction transaction = null) {
    using (var command = new SqlCommand(text, connection, transaction))
    using (var reader = command.ExecuteReader()) return ReadRows(reader);
  }

  public static object Single(SqlConnection connection, string text, SqlTransaction transaction = null) {
    using (var command = new SqlCommand(text, connection, transaction)) return command.ExecuteScalar();
  }

  public static string Hex(object bytes) => string.Concat(((byte[]) bytes).Select(one => one.ToString("x2")));

  public static object NumberOf(Action action) {
    try {
      action();
      return null;
    } catch (SqlException error) {
      return error.Number;
    }
  }

  public static Dictionary<string, object> Facts(params object[] pairs) {
    var facts = new Dictionary<string, object>();
    for (var at = 0; at < pairs.Length; at += 2) facts.Add((string) pairs[at], pairs[at + 1]);
    return facts;
  }

  /// <summary>Prints what came of a check, or the error that it ended in.</summary>
  public static void Tell(string check, Func<Dictionary<string, object>> finder) {
    var only = Given("CLIENT_CHECK");
    if (only != "" && only != check) return;
    Dictionary<string, object> facts;
    try {
      facts = finder();
    } catch (Exception error) {
      facts = Facts("error", error.ToString());
    }
    facts.Add("check", check);
    Console.WriteLine(Json(facts));
  }

  static string Json(object value) {
    if (value == null || value is DBNull) return "null";
    if (value is bool) return (bool) value ? "true" : "false";
    if (value is string) return Quoted((string) value);
    if (value is byte[]) return Quoted(Hex(value));
    if (value is DateTime) return Quoted(((DateTime) value).ToString("yyyy-MM-ddTHH:mm:ss.fff", CultureInfo.InvariantCulture));
    var fields = value as IDictionary;
    if (fields != null) {
      var pairs = fields.Keys.Cast<object>().Select(key => Quoted(key.ToString()) + ":" + Json(fields[key]));
      return "{" + string.Join(",", pairs) + "}";
    }
    var items = value as IEnumerable;
    if (items != null) return "[" + string.Join(",", items.Cast<object>().Select(Json)) + "]";
    var isNumber = value.GetType().IsPrimitive || value is decimal;
    return isNumber ? ((IFormattable) value).ToString(null, CultureInfo.InvariantCulture) : Quoted(value.ToString());
  }

  static string Quoted(string text) {
    var quoted = new StringBuilder("\"");
    foreach (var letter in text) {
      if (letter == '"' || letter == '\\') quoted.Append('\\').Append(letter);
      else if (letter < ' ') quoted.Append("\\u").Append(((int) letter).ToString("x4"));
      else quoted.Append(letter);
    }
    return quoted.Append('"').ToString();
  }
}
