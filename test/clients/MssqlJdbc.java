import com.microsoft.sqlserver.jdbc.*;
import java.math.BigDecimal;
import java.sql.*;
import java.util.*;
import java.util.function.*;

/** What only Microsoft's JDBC driver does: its types, bulk copy, batches, metadata and time-outs. */
public class MssqlJdbc {
  interface Finder {
    Map<String, Object> find() throws Exception;
  }

  static void tell(String check, Finder finder) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("check", check);
    try {
      facts.putAll(finder.find());
    } catch (Exception error) {
      facts.put("error", error.toString());
    }
    System.out.println(json(facts));
  }

  static String json(Object value) {
    if (value == null || value instanceof Number || value instanceof Boolean) return String.valueOf(value);
    if (value instanceof Map) {
      StringJoiner fields = new StringJoiner(",", "{", "}");
      ((Map<?, ?>) value).forEach((name, field) -> fields.add(json(name) + ":" + json(field)));
      return fields.toString();
    }
    if (value instanceof Collection) {
      StringJoiner items = new StringJoiner(",", "[", "]");
      ((Collection<?>) value).forEach(item -> items.add(json(item)));
      return items.toString();
    }
    return '"' + String.valueOf(value).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }

  static Map<String, Object> facts(Object... pairs) {
    Map<String, Object> facts = new LinkedHashMap<>();
    for (int at = 0; at < pairs.length; at += 2) facts.put((String) pairs[at], pairs[at + 1]);
    return facts;
  }

  static Connection connect(String database, String more) throws SQLException {
    Map<String, String> given = System.getenv();
    String url = given.get("CLIENT_URL").replace("{host}", given.get("GRANARY_HOST")).replace("{port}", given.get("GRANARY_PORT"))
        .replace("{database}", database).replace("{ca}", given.get("GRANARY_CA"));
    return DriverManager.getConnection(url + ";" + more, "sa", given.get("GRANARY_PASSWORD"));
  }

  /** Every type as a parameter, as an output value and as a column, NULL and not. */
  static Map<String, Object> types(Connection connection) throws SQLException {
    Object[][] values = {
        {"bigint", Types.BIGINT, -9007199254740993L}, {"int", Types.INTEGER, -7}, {"smallint", Types.SMALLINT, (short) -300},
        {"tinyint", Types.TINYINT, (short) 200}, {"bit", Types.BIT, true}, {"float", Types.DOUBLE, -1.5e300},
        {"real", Types.REAL, 0.25f}, {"decimal(18,4)", Types.DECIMAL, new BigDecimal("-12345.6789")},
        {"money", microsoft.sql.Types.MONEY, new BigDecimal("922337203685477.5807")},
        {"datetime", microsoft.sql.Types.DATETIME, Timestamp.valueOf("2024-02-29 23:59:59.997")},
        {"datetime2(7)", Types.TIMESTAMP, Timestamp.valueOf("9999-12-31 23:59:59.9999999")},
        {"date", Types.DATE, java.sql.Date.valueOf("0001-01-01")},
        {"uniqueidentifier", microsoft.sql.Types.GUID, "00112233-4455-6677-8899-AABBCCDDEEFF"},
        {"nvarchar(100)", Types.NVARCHAR, "Grüße 中 🌾"}, {"varchar(100)", Types.VARCHAR, "Grüße €"},
        {"nvarchar(max)", Types.LONGNVARCHAR, "中".repeat(9000)}, {"varchar(max)", Types.LONGVARCHAR, "x".repeat(9000)},
    };
    List<Object> wrong = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      for (Object[] one : values) {
        statement.execute("if object_id('tempdb..#echo') is not null drop procedure #echo");
        statement.execute("create procedure #echo @in " + one[0] + ", @out " + one[0] + " output as set @out = @in select @in as a");
        for (Object value : new Object[] {one[2], null}) {
          try (CallableStatement call = connection.prepareCall("{call #echo(?, ?)}")) {
            if (value == null) call.setNull(1, (int) one[1]);
            else call.setObject(1, value, (int) one[1]);
            call.registerOutParameter(2, (int) one[1]);
            ResultSet set = call.executeQuery();
            set.next();
            Object row = set.getObject(1);
            if (!same(row, value)) wrong.add(one[0] + " column " + row);
            set.close();
            Object out = call.getObject(2);
            if (!same(out, value)) wrong.add(one[0] + " output " + out);
          } catch (SQLException error) {
            wrong.add(one[0] + " " + error.getMessage());
          }
        }
      }
    }
    return facts("wrong", wrong);
  }

  static boolean same(Object found, Object wanted) {
    if (found == null || wanted == null) return found == wanted;
    if (found instanceof BigDecimal) return ((BigDecimal) found).compareTo((BigDecimal) wanted) == 0;
    if (found instanceof Number && wanted instanceof Number) return ((Number) found).doubleValue() == ((Number) wanted).doubleValue();
    return found.toString().equals(wanted.toString());
  }

  static Map<String, Object> bulk(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create table #from (i int not null, d decimal(9,2) null, t datetime2(7) null, n nvarchar(50) null, "
          + "v varbinary(max) null, b bit not null)");
      statement.execute("create table #to (i int not null, d decimal(9,2) null, t datetime2(7) null, n nvarchar(50) null, "
          + "v varbinary(max) null, b bit not null)");
      statement.execute("insert #from values (1, 1.25, '2024-01-02 03:04:05.1234567', N'中', 0x00ff, 1), (2, null, null, null, null, 0)");
      try (SQLServerBulkCopy copy = new SQLServerBulkCopy(connection); Connection other = connect("tempdb", "")) {
        try (Statement reading = other.createStatement()) {
          ResultSet set = reading.executeQuery("select 1 as i, cast(1.25 as decimal(9,2)) as d, cast('2024-01-02 03:04:05.1234567' as datetime2(7)) as t, "
              + "N'中' as n, cast(0x00ff as varbinary(max)) as v, cast(1 as bit) as b union all select 2, null, null, null, null, 0");
          copy.setDestinationTableName("#to");
          copy.writeToServer(set);
        }
      }
      List<Object> rows = new ArrayList<>();
      ResultSet set = statement.executeQuery("select i, d, t, n, datalength(v), b from #to order by i");
      while (set.next()) rows.add(Arrays.asList(set.getInt(1), set.getBigDecimal(2), String.valueOf(set.getTimestamp(3)), set.getString(4), set.getObject(5), set.getBoolean(6)));
      return facts("rows", rows);
    }
  }

  static Map<String, Object> batches(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create table #batch (id int not null primary key, name nvarchar(20) null)");
      statement.addBatch("insert #batch values (1, N'one')");
      statement.addBatch("update #batch set name = N'eins'");
      statement.addBatch("insert #batch values (1, N'again')");
      statement.addBatch("insert #batch values (2, N'two')");
      List<Object> counts = new ArrayList<>();
      int code = 0;
      try {
        statement.executeBatch();
      } catch (BatchUpdateException error) {
        for (int count : error.getUpdateCounts()) counts.add(count);
        code = error.getErrorCode();
      }
      statement.clearBatch();
      try (PreparedStatement insert = connection.prepareStatement("insert into #batch values (?, ?)", Statement.RETURN_GENERATED_KEYS)) {
        for (int at = 10; at < 110; at++) {
          insert.setInt(1, at);
          insert.setNString(2, "中" + at);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      ResultSet set = statement.executeQuery("select count(*) from #batch");
      set.next();
      int rows = set.getInt(1);
      int copied = statement.executeUpdate("select * into #copied from #batch where id < 3");
      return facts("counts", counts, "code", code, "rows", rows, "copied", copied);
    }
  }

  static Map<String, Object> keys(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create table #keyed (id int identity(5, 2) primary key, name nvarchar(20))");
      try (PreparedStatement insert = connection.prepareStatement("insert into #keyed (name) values (?)", Statement.RETURN_GENERATED_KEYS)) {
        insert.setString(1, "one");
        insert.executeUpdate();
        ResultSet generated = insert.getGeneratedKeys();
        generated.next();
        return facts("key", generated.getInt(1));
      }
    }
  }

  /** Rows and values that do not fit into memory twice pass through in pieces. */
  static Map<String, Object> buffering(Connection connection) throws Exception {
    try (Connection adaptive = connect("tempdb", "responseBuffering=adaptive;packetSize=512"); Statement statement = adaptive.createStatement()) {
      ResultSet set = statement.executeQuery("with n as (select 1 as i union all select i + 1 from n where i < 3000) "
          + "select i, replicate(cast(N'中' as nvarchar(max)), 2000) from n option (maxrecursion 0)");
      long characters = 0;
      int rows = 0;
      while (set.next()) {
        rows++;
        try (java.io.Reader reader = set.getNCharacterStream(2)) {
          char[] piece = new char[512];
          for (int got = reader.read(piece); got > 0; got = reader.read(piece)) characters += got;
        }
      }
      return facts("rows", rows, "characters", characters);
    }
  }

  static Map<String, Object> cursor() throws SQLException {
    try (Connection connection = connect("tempdb", "selectMethod=cursor")) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
        ResultSet set = statement.executeQuery("select 1 as a union all select 2 union all select 3");
        set.last();
        int last = set.getInt(1);
        set.absolute(2);
        int second = set.getInt(1);
        set.first();
        return facts("order", Arrays.asList(last, second, set.getInt(1)));
      } finally {
        connection.rollback();
      }
    }
  }

  /** A call with a return code and an output value, through a cursor of the server. */
  static Map<String, Object> cursorCall() throws SQLException {
    try (Connection connection = connect("tempdb", "selectMethod=cursor")) {
      connection.createStatement().execute("create procedure #p @a int, @b int output as set @b = @a * 2 select @a as a union all select @b return 7");
      try (CallableStatement call = connection.prepareCall("{? = call #p(?, ?)}")) {
        call.registerOutParameter(1, Types.INTEGER);
        call.setInt(2, 21);
        call.registerOutParameter(3, Types.INTEGER);
        List<Object> rows = new ArrayList<>();
        ResultSet set = call.executeQuery();
        while (set.next()) rows.add(set.getInt(1));
        return facts("rows", rows, "status", call.getInt(1), "output", call.getInt(3));
      }
    }
  }

  static Map<String, Object> transactions(Connection connection) throws SQLException {
    List<Object> counts = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      statement.execute("create table #saved (id int)");
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      connection.setAutoCommit(false);
      statement.execute("insert #saved values (1)");
      Savepoint point = connection.setSavepoint("point");
      statement.execute("insert #saved values (2)");
      connection.rollback(point);
      connection.commit();
      connection.setAutoCommit(true);
      ResultSet set = statement.executeQuery("select count(*), @@trancount from #saved");
      set.next();
      counts.add(set.getInt(1));
      counts.add(set.getInt(2));
      counts.add(connection.getTransactionIsolation());
    }
    return facts("counts", counts);
  }

  static Map<String, Object> timeout(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      String state = "";
      try {
        statement.execute("waitfor delay '00:00:30'");
      } catch (SQLTimeoutException error) {
        state = "timed out";
      }
      ResultSet set = connection.createStatement().executeQuery("select 1");
      set.next();
      return facts("state", state, "after", set.getInt(1));
    }
  }

  static Map<String, Object> parameters(Connection connection) throws SQLException {
    List<Object> types = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement("select name from sys.objects where object_id = ? and name = ?")) {
      ParameterMetaData about = statement.getParameterMetaData();
      for (int at = 1; at <= about.getParameterCount(); at++) types.add(about.getParameterTypeName(at));
      ResultSetMetaData columns = statement.getMetaData();
      return facts("types", types, "columns", columns.getColumnCount(), "name", columns.getColumnName(1));
    }
  }

  static Map<String, Object> metadata() throws SQLException {
    List<Object> failed = new ArrayList<>();
    try (Connection connection = connect("TranslationServices", "")) {
      DatabaseMetaData about = connection.getMetaData();
      Map<String, Callable> asked = new LinkedHashMap<>();
      asked.put("getCatalogs", () -> about.getCatalogs());
      asked.put("getSchemas", () -> about.getSchemas());
      asked.put("getTableTypes", () -> about.getTableTypes());
      asked.put("getTypeInfo", () -> about.getTypeInfo());
      asked.put("getTables", () -> about.getTables(null, null, "%", null));
      asked.put("getTables(types)", () -> about.getTables(null, "sys", "%", new String[] {"SYSTEM VIEW", "VIEW", "TABLE", "SYSTEM TABLE"}));
      asked.put("getColumns", () -> about.getColumns(null, "sys", "databases", "%"));
      asked.put("getProcedures", () -> about.getProcedures(null, "dbo", "proc%"));
      asked.put("getProcedureColumns", () -> about.getProcedureColumns(null, "dbo", "proc_AddJob", "%"));
      asked.put("getPrimaryKeys", () -> about.getPrimaryKeys(null, "sys", "databases"));
      asked.put("getImportedKeys", () -> about.getImportedKeys(null, "sys", "databases"));
      asked.put("getExportedKeys", () -> about.getExportedKeys(null, "sys", "databases"));
      asked.put("getCrossReference", () -> about.getCrossReference(null, "sys", "databases", null, "sys", "objects"));
      asked.put("getIndexInfo", () -> about.getIndexInfo(null, "sys", "databases", false, true));
      asked.put("getBestRowIdentifier", () -> about.getBestRowIdentifier(null, "sys", "databases", DatabaseMetaData.bestRowSession, true));
      asked.put("getVersionColumns", () -> about.getVersionColumns(null, "sys", "databases"));
      asked.put("getColumnPrivileges", () -> about.getColumnPrivileges(null, "sys", "databases", "%"));
      asked.put("getTablePrivileges", () -> about.getTablePrivileges(null, "sys", "databases"));
      asked.put("getFunctions", () -> about.getFunctions(null, null, "%"));
      asked.put("getFunctionColumns", () -> about.getFunctionColumns(null, null, "%", "%"));
      asked.put("getClientInfoProperties", () -> about.getClientInfoProperties());
      asked.forEach((name, call) -> {
        try (ResultSet set = call.call()) {
          while (set.next());
        } catch (Exception error) {
          failed.add(name + ": " + error.getMessage());
        }
      });
      int tables = 0;
      try (ResultSet set = about.getTables(null, "dbo", "%", new String[] {"TABLE"})) {
        while (set.next()) tables++;
      }
      return facts("asked", asked.size(), "failed", failed, "tables", tables > 0, "version", about.getDatabaseMajorVersion() > 0);
    }
  }

  /** Makes a connection one that has rested: only then does the driver look whether it is alive, else after 15 seconds. */
  static void rested(Connection connection) throws Exception {
    java.lang.reflect.Field field = SQLServerConnection.class.getDeclaredField("idleNetworkTracker");
    field.setAccessible(true);
    Object tracker = field.get(connection);
    java.lang.reflect.Method limit = tracker.getClass().getDeclaredMethod("setMaxIdleMillis", int.class);
    limit.setAccessible(true);
    limit.invoke(tracker, -1);
  }

  /** Ends a session, and waits until it is gone. */
  static void end(int session, Connection other) throws Exception {
    try (Statement statement = other.createStatement()) {
      statement.execute("kill " + session);
      for (int tries = 0; tries < 3000; tries++) {
        ResultSet left = statement.executeQuery("select count(*) from sys.dm_exec_sessions where session_id = " + session);
        left.next();
        if (left.getInt(1) == 0) return;
        Thread.sleep(10);
      }
      throw new IllegalStateException("session " + session + " does not end");
    }
  }

  /** Connections that break while they rest come back with database and settings, unless they held more. */
  static Map<String, Object> recovery(Connection other) throws Exception {
    String[] texts = {
      "use master set lock_timeout 77 set datefirst 3", "create table #held (id int)", "begin transaction", "set datefirst 5"
    };
    List<Connection> connections = new ArrayList<>();
    List<Integer> sessions = new ArrayList<>();
    for (String text : texts) {
      Connection connection = connect("tempdb", "connectRetryCount=1;connectRetryInterval=1");
      connections.add(connection);
      try (Statement statement = connection.createStatement()) {
        statement.execute(text);
        try (PreparedStatement prepared = connection.prepareStatement("select ?")) {
          for (int run = 0; run < 3; run++) {
            prepared.setInt(1, run);
            prepared.executeQuery().next();
          }
        }
        ResultSet told = statement.executeQuery("select @@spid");
        told.next();
        sessions.add(told.getInt(1));
      }
      rested(connection);
      end(sessions.get(sessions.size() - 1), other);
    }
    List<Object> found = new ArrayList<>();
    for (int at = 0; at < texts.length; at++) {
      try (Connection connection = connections.get(at); Statement statement = connection.createStatement()) {
        ResultSet set = statement.executeQuery("select db_name(), @@lock_timeout, @@datefirst, @@spid");
        set.next();
        found.add(Arrays.asList(set.getString(1), set.getInt(2), set.getInt(3), set.getInt(4) == sessions.get(at)));
      } catch (SQLException error) {
        found.add("lost");
      }
    }
    return facts("found", found);
  }

  interface Callable {
    ResultSet call() throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    Class.forName("com.microsoft.sqlserver.jdbc.SQLServerDriver");
    try (Connection connection = connect("tempdb", "")) {
      tell("types", () -> types(connection));
      tell("bulk", () -> bulk(connection));
      tell("batches", () -> batches(connection));
      tell("keys", () -> keys(connection));
      tell("buffering", () -> buffering(connection));
      tell("cursor", () -> cursor());
      tell("cursorCall", () -> cursorCall());
      tell("transactions", () -> transactions(connection));
      tell("timeout", () -> timeout(connection));
      tell("parameters", () -> parameters(connection));
      tell("metadata", () -> metadata());
      tell("recovery", () -> recovery(connection));
    }
  }
}
