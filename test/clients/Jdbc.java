import java.security.MessageDigest;
import java.sql.*;
import java.util.*;
import java.util.concurrent.*;

/** A driver through JDBC: procedures by {? = call …}, with return codes, output values and DatabaseMetaData. */
public class Jdbc {
  static final String GRAIN = "Grüße 中 🌾 𠀋";
  static final String PARTITION = "93572c0a-d9e1-1395-dab3-932eac7ba30c";
  static final String CLASS = "00000000-0000-0000-0000-00000000c1a5";
  static final String OBJECT = "00000000-0000-0000-0000-000000000b1e";
  static final String OTHER = "00000000-0000-0000-0000-000000000b1f";
  static final String APPLICATION = "00000000-0000-0000-0000-0000000000a1";
  static final String DATABASE = "00000000-0000-0000-0000-0000000000db";
  static final String SITE = "00000000-0000-0000-0000-00000000051e";
  static final String TRANSLATION = "http://schemas.microsoft.com/office/server/translation/2010/11/";
  static final String WORD = "http://schemas.microsoft.com/office/server/word/2009/08/";
  static final String TRANSLATION_GROUP = "<group xmlns=\"" + TRANSLATION + "databaseJobAdd\">"
      + "<item id=\"1\" in=\"a.docx\" out=\"a_Thai.docx\" /><item id=\"2\" in=\"b.docx\" out=\"b_Thai.docx\" /></group>";
  static final String WORD_GROUP =
      "<group xmlns=\"" + WORD + "databaseJobAdd\"><item id=\"1\" in=\"a.docx\" out=\"a.pdf\" /></group>";
  static final String WORD_BATCH = "<batch xmlns=\"" + WORD + "databaseBatchUpdate\"><start><item job=\"1\" group=\"1\" "
      + "id=\"1\" wsi=\"b00ae9a1-0474-474e-b348-f6a8bcc95331\" /></start><failed /></batch>";

  interface Finder {
    Map<String, Object> find() throws Exception;
  }

  interface Step {
    void run() throws Exception;
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

  static String given(String name) {
    return System.getenv(name);
  }

  static Connection connect(String database, String password) throws SQLException {
    String url = given("CLIENT_URL").replace("{host}", given("GRANARY_HOST")).replace("{port}", given("GRANARY_PORT"))
        .replace("{database}", database).replace("{ca}", given("GRANARY_CA"));
    return DriverManager.getConnection(url, "sa", password);
  }

  static Connection connect(String database) throws SQLException {
    return connect(database, given("GRANARY_PASSWORD"));
  }

  /** Calls with positional arguments and tells the return code; rows are handed to `rows`. */
  static int call(Connection connection, String name, List<List<Object>> rows, Object... arguments) throws SQLException {
    String marks = String.join(", ", Collections.nCopies(arguments.length, "?"));
    try (CallableStatement statement = connection.prepareCall("{? = call " + name + "(" + marks + ")}")) {
      statement.registerOutParameter(1, Types.INTEGER);
      for (int at = 0; at < arguments.length; at++) {
        if (arguments[at] == null) statement.setNull(at + 2, Types.VARCHAR);
        else statement.setObject(at + 2, arguments[at]);
      }
      boolean isSet = statement.execute();
      while (isSet || statement.getUpdateCount() != -1) {
        if (isSet && rows != null) rows.addAll(read(statement.getResultSet()));
        isSet = statement.getMoreResults();
      }
      return statement.getInt(1);
    }
  }

  static List<List<Object>> read(ResultSet set) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    int width = set.getMetaData().getColumnCount();
    while (set.next()) {
      List<Object> row = new ArrayList<>();
      for (int at = 1; at <= width; at++) {
        Object value = set.getObject(at);
        row.add(value instanceof Clob ? set.getString(at) : value instanceof Blob ? set.getBytes(at) : value);
      }
      rows.add(row);
    }
    return rows;
  }

  static List<List<Object>> query(Connection connection, String text) throws SQLException {
    try (Statement statement = connection.createStatement(); ResultSet set = statement.executeQuery(text)) {
      return read(set);
    }
  }

  static int addJob(Connection connection, int job, int items, String name) throws SQLException {
    return call(connection, "proc_AddJob", null, (long) job, "user@contoso.com",
        new byte[] {0x12, 0x34, 0x56, 0x78, (byte) 0x90}, PARTITION, "<settings/>", name, items, 1000, 100);
  }

  static int addGroup(Connection connection, String document) throws SQLException {
    return call(connection, "proc_AddGroup", null, 1L, (short) 1, "http://contoso.com", "http://contoso.com", (short) 2, document);
  }

  static List<List<Object>> jobs(Connection connection, boolean submitted) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    call(connection, "proc_GetJobs", rows, PARTITION, null, false, submitted);
    return rows;
  }

  static Map<String, Object> translation(Connection connection) throws SQLException {
    int added = addJob(connection, 1, 2, GRAIN);
    int grouped = addGroup(connection, TRANSLATION_GROUP);
    int submitted = call(connection, "proc_SubmitJob", null, 1L);
    List<Object> job = jobs(connection, true).get(0);
    List<List<Object>> batch = new ArrayList<>();
    call(connection, "proc_GetConversionBatch", batch, 10, Timestamp.valueOf("2008-01-31 01:01:01"));
    List<Object> items = new ArrayList<>();
    for (List<Object> row : batch) items.add(Arrays.asList(row.get(2), row.get(4)));
    java.sql.Date day = java.sql.Date.valueOf("2026-03-03");
    call(connection, "proc_UpdateItemCount", null, PARTITION, 9, day, 7);
    return facts("added", added, "grouped", grouped, "submitted", submitted, "limited", addJob(connection, 9, 101, GRAIN),
        "job", facts("id", job.get(0), "created", ((Timestamp) job.get(1)).toLocalDateTime().toString(),
            "cancelled", job.get(2), "submitted", job.get(3), "name", job.get(4)),
        "items", items, "counted", call(connection, "proc_GetItemCount", null, PARTITION, 9, day));
  }

  static Map<String, Object> word(Connection connection) throws SQLException {
    byte[] header = new byte[32];
    Arrays.fill(header, (byte) 0xab);
    int added = call(connection, "proc_AddJob", null, 1L, header, new byte[] {1, 5, 0}, new byte[] {-1}, PARTITION, "<settings/>");
    addGroup(connection, WORD_GROUP);
    call(connection, "proc_SubmitJob", null, 1L);
    int active = call(connection, "proc_HasActiveJobs", null);
    List<List<Object>> rows = new ArrayList<>();
    call(connection, "proc_UpdateConversionBatch", rows, WORD_BATCH);
    List<Object> token = rows.get(0);
    return facts("added", added, "active", active,
        "token", facts("header", hex(token.get(5)), "sid", hex(token.get(6)), "groups", hex(token.get(7))));
  }

  static String hex(Object bytes) {
    return HexFormat.of().formatHex((byte[]) bytes);
  }

  static byte[] version;

  static int putObject(Connection connection, String id, byte[] old) throws SQLException {
    try (CallableStatement call = connection.prepareCall("{? = call proc_putObject(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)}")) {
      call.registerOutParameter(1, Types.INTEGER);
      call.setString(2, id);
      call.setNull(3, Types.VARCHAR);
      call.setString(4, CLASS);
      call.setString(5, "Farm");
      call.setInt(6, 0);
      call.setBytes(7, old);
      call.setString(8, "<object>" + GRAIN + "</object>");
      call.setBoolean(9, false);
      call.registerOutParameter(10, Types.VARCHAR);
      call.setNull(10, Types.VARCHAR);
      call.registerOutParameter(11, Types.VARBINARY);
      call.setNull(11, Types.VARBINARY);
      call.execute();
      // In this order: Microsoft's driver loses its place when the return code is asked for after a NULL of a max type.
      int status = call.getInt(1);
      version = call.getBytes(11);
      return status;
    }
  }

  static Map<String, Object> config(Connection connection) throws SQLException {
    int registered = call(connection, "proc_putClass", null, CLASS, null, "Example.Farm");
    int stored = putObject(connection, OBJECT, null);
    byte[] first = version;
    int updated = putObject(connection, OBJECT, first);
    int taken = putObject(connection, OTHER, null);
    int sites;
    try (CallableStatement call = connection.prepareCall("{call proc_putSiteMap(?, ?, ?, ?, ?, ?, ?, ?, ?)}")) {
      call.setString(1, APPLICATION);
      call.setString(2, DATABASE);
      call.setString(3, SITE);
      call.setNull(4, Types.VARCHAR);
      call.setString(5, "/sites/grain");
      call.setByte(6, (byte) 0);
      call.setNull(7, Types.VARCHAR);
      call.setBoolean(8, false);
      call.registerOutParameter(9, Types.INTEGER);
      call.execute();
      while (call.getMoreResults() || call.getUpdateCount() != -1) continue;
      sites = call.getInt(9);
    }
    List<List<Object>> rows = new ArrayList<>();
    call(connection, "proc_getObject", rows, OBJECT);
    return facts("class", registered, "object", stored, "version", hex(first), "updated", updated, "taken", taken,
        "sites", sites, "name", rows.get(0).get(3), "properties", rows.get(0).get(6));
  }

  static Map<String, Object> sets(Connection connection) throws SQLException {
    List<Object> counts = new ArrayList<>();
    try (CallableStatement call = connection.prepareCall("{call proc_getNewObjects(?)}")) {
      call.setBytes(1, new byte[8]);
      boolean isSet = call.execute();
      while (isSet || call.getUpdateCount() != -1) {
        if (isSet) counts.add(read(call.getResultSet()).size());
        isSet = call.getMoreResults();
      }
    }
    return facts("rows", counts);
  }

  static Map<String, Object> nulls(Connection connection) throws SQLException {
    int sent = addJob(connection, 2, 0, null);
    Object name = "not found";
    for (List<Object> row : jobs(connection, false)) if (((Number) row.get(0)).intValue() == 2) name = row.get(4);
    List<List<Object>> items = new ArrayList<>();
    call(connection, "proc_GetItems", items, 1L, (short) 1, PARTITION, true, true, true, true, true, true);
    return facts("sent", sent, "name", name, "columns", items.get(0).subList(0, 4));
  }

  static Map<String, Object> longValue(Connection connection) throws Exception {
    byte[] bytes = "grain.".repeat(1747627).substring(0, 10485760).getBytes("US-ASCII");
    int sent = call(connection, "proc_putFileSegment", null, OBJECT, bytes, 0);
    List<List<Object>> rows = new ArrayList<>();
    call(connection, "proc_getFile", rows, OBJECT);
    byte[] read = (byte[]) rows.get(0).get(0);
    return facts("sent", sent, "length", read.length, "sha256", hex(MessageDigest.getInstance("SHA-256").digest(read)));
  }

  static Object numberOf(Step step) {
    try {
      step.run();
      return null;
    } catch (SQLException error) {
      return error.getErrorCode();
    } catch (Exception error) {
      return error.toString();
    }
  }

  static Map<String, Object> errors(Connection connection) throws SQLException {
    return facts("unknownProcedure", numberOf(() -> call(connection, "proc_Nothing", null)),
        "missingParameter", numberOf(() -> call(connection, "proc_SubmitJob", null)),
        "conversion", numberOf(() -> call(connection, "proc_SubmitJob", null, "grain")),
        "duplicate", numberOf(() -> addJob(connection, 1, 0, null)),
        "unknownTable", numberOf(() -> query(connection, "select * from nothing")),
        "syntax", numberOf(() -> query(connection, "select 1 +")),
        "raised", numberOf(() -> connection.createStatement().execute("raiserror('grain', 16, 1)")),
        "after", query(connection, "select 1").get(0).get(0));
  }

  /** A cancel before the server runs the request would stop nothing. */
  static void untilRunning(Object session) throws Exception {
    try (Connection watcher = connect("master")) {
      String running = "select 1 from sys.dm_exec_requests where session_id = " + session;
      while (query(watcher, running).isEmpty()) Thread.sleep(20);
    }
  }

  static Map<String, Object> cancel(Connection connection) throws Exception {
    Object session = query(connection, "select @@spid").get(0).get(0);
    Statement statement = connection.createStatement();
    ExecutorService other = Executors.newSingleThreadExecutor();
    Future<?> cancelling = other.submit(() -> {
      untilRunning(session);
      statement.cancel();
      return null;
    });
    long began = System.nanoTime();
    boolean failed = true;
    try {
      // jTDS may say nothing: it looks for its cancel when the answer has come, which can be before it has noted the cancel.
      statement.execute("waitfor delay '00:02:00'");
    } catch (SQLException error) {
      failed = "HY008".equals(error.getSQLState()) || error.getMessage().contains("canceled");
    }
    cancelling.get();
    other.shutdown();
    boolean soon = System.nanoTime() - began < 60_000_000_000L;
    return facts("cancelled", failed && soon, "after", query(connection, "select 1").get(0).get(0));
  }

  static long third(Connection connection) throws SQLException {
    return jobs(connection, false).stream().filter(row -> ((Number) row.get(0)).intValue() == 3).count();
  }

  static Map<String, Object> transaction(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    addJob(connection, 3, 0, null);
    long inside = third(connection);
    connection.rollback();
    connection.setAutoCommit(true);
    return facts("inside", inside, "after", third(connection));
  }

  static Map<String, Object> prepared(Connection connection) throws SQLException {
    List<Object> answers = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement("select cast(? as varchar(9)) + ' ' + ?")) {
      for (int at = 0; at < 3; at++) {
        statement.setInt(1, at + 1);
        statement.setString(2, "abc".substring(at, at + 1));
        answers.add(read(statement.executeQuery()).get(0).get(0));
      }
    }
    return facts("answers", answers);
  }

  /** A batch of inserts, which a driver may send as a bulk load. */
  static Map<String, Object> bulk(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create table #grain (id int not null, name nvarchar(50))");
    }
    String[] names = {"one", null, "three", GRAIN};
    try (PreparedStatement insert = connection.prepareStatement("insert into #grain (id, name) values (?, ?)")) {
      for (int at = 0; at < names.length; at++) {
        insert.setInt(1, at + 1);
        insert.setString(2, names[at]);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    List<List<Object>> rows = query(connection, "select id, name from #grain order by id");
    return facts("rows", rows.subList(0, 3), "text", rows.get(3).get(1), "links", bulkLinks(connection));
  }

  static List<List<Object>> bulkLinks(Connection connection) throws SQLException {
    String table = "Search_CrawlStore.dbo.MSSColleagueLinks";
    String columns = "CrawlID, SourceDocID, SourceUserID, TargetUserID, Pid";
    Long[][] rows = {{7L, 1L, null, 10L, 394L}, {7L, 2L, 20L, 30L, -1L}};
    String text = "insert into " + table + " (" + columns + ") values (?, ?, ?, ?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(text)) {
      for (Long[] row : rows) {
        for (int at = 0; at < row.length; at++) {
          if (row[at] == null) insert.setNull(at + 1, java.sql.Types.BIGINT);
          else if (at == 2 || at == 3) insert.setLong(at + 1, row[at]);
          else insert.setInt(at + 1, row[at].intValue());
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
    List<List<Object>> loaded = query(connection, "select " + columns + " from " + table + " order by LinkID");
    try (Statement statement = connection.createStatement()) {
      statement.execute("delete " + table);
    }
    return loaded;
  }

  static Map<String, Object> metadata(Connection connection) throws SQLException {
    Map<String, Object> parameters = new LinkedHashMap<>();
    ResultSet set = connection.getMetaData().getProcedureColumns("TranslationServices", "dbo", "proc_AddJob", "%");
    while (set.next()) {
      if (set.getShort("COLUMN_TYPE") == DatabaseMetaData.procedureColumnReturn) continue;
      parameters.put(set.getString("COLUMN_NAME"), set.getString("TYPE_NAME"));
    }
    return facts("parameters", parameters);
  }

  static List<Object> column(ResultSet set, String name) throws SQLException {
    List<Object> values = new ArrayList<>();
    while (set.next()) values.add(set.getString(name).split(";")[0]);
    return values;
  }

  public static void main(String[] arguments) throws Exception {
    Class.forName(given("CLIENT_DRIVER")); // a program run from its source does not find drivers by itself
    Connection translations = connect("TranslationServices");
    DatabaseMetaData about = translations.getMetaData();
    tell("client", () -> facts("version", about.getDriverVersion()));
    tell("login", () -> {
      List<Object> row = query(translations, "select suser_sname(), encrypt_option, protocol_version "
          + "from sys.dm_exec_connections where session_id = @@spid").get(0);
      return facts("user", about.getUserName(), "encrypted", row.get(1), "protocol", row.get(2));
    });
    tell("refused", () -> facts("number", numberOf(() -> connect("master", "wrong"))));
    tell("databases", () -> facts("names", column(about.getCatalogs(), "TABLE_CAT")));
    tell("procedures", () -> facts("names", column(about.getProcedures("TranslationServices", "dbo", "%"), "PROCEDURE_NAME")));
    tell("translation", () -> translation(translations));
    try (Connection words = connect("WordAutomationServices")) {
      tell("word", () -> word(words));
    }
    Connection farms = connect("SharePoint_Config");
    tell("config", () -> config(farms));
    tell("sets", () -> sets(farms));
    tell("nulls", () -> nulls(translations));
    tell("long", () -> longValue(farms));
    tell("errors", () -> errors(translations));
    tell("cancel", () -> cancel(translations));
    tell("transaction", () -> transaction(translations));
    tell("prepared", () -> prepared(translations));
    if ("yes".equals(given("CLIENT_BULK"))) tell("bulk", () -> bulk(translations));
    tell("metadata", () -> metadata(translations));
  }
}
