import java.sql.*;
import java.util.*;

/** jTDS with server cursors: TYPE_SCROLL_INSENSITIVE opens one by sp_cursoropen and fetches by sp_cursorfetch. */
public class JtdsCursors {
  static final String ROWS =
      "with n as (select 1 as id union all select id + 1 from n where id < 10) select id, cast('row ' + cast(id as varchar(3)) as varchar(10)) as name from n";

  static void tell(String what, Object value) {
    System.out.println(what + "=" + value);
  }

  static int error(SQLCall call) {
    try {
      call.run();
      return 0;
    } catch (SQLException error) {
      return error.getErrorCode();
    }
  }

  interface SQLCall {
    void run() throws SQLException;
  }

  static void scroll(ResultSet rows) throws SQLException {
    List<Integer> seen = new ArrayList<>();
    tell("columns", rows.getMetaData().getColumnCount());
    tell("beforeFirst", rows.isBeforeFirst());
    while (rows.next()) seen.add(rows.getInt(1));
    tell("forward", seen);
    tell("afterLast", rows.isAfterLast());
    seen.clear();
    while (rows.previous()) seen.add(rows.getInt("id"));
    tell("backward", seen);
    rows.first();
    tell("first", rows.getString("name") + " at " + rows.getRow());
    rows.last();
    tell("last", rows.getString("name") + " at " + rows.getRow());
    tell("absolute", rows.absolute(4) + " " + rows.getInt(1));
    tell("fromEnd", rows.absolute(-2) + " " + rows.getInt(1));
    tell("relative", rows.relative(-3) + " " + rows.getInt(1));
    tell("beyond", rows.absolute(99));
  }

  public static void main(String[] args) throws Exception {
    Class.forName("net.sourceforge.jtds.jdbc.Driver");
    String url = "jdbc:jtds:sqlserver://" + System.getenv("GRANARY_HOST") + ":" + System.getenv("GRANARY_PORT") + "/master;"
        + System.getenv("CLIENT_OPTIONS");
    try (Connection connection = DriverManager.getConnection(url, "sa", System.getenv("GRANARY_PASSWORD"))) {
      try (Statement statement =
          connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
        scroll(statement.executeQuery(ROWS));
      }
      try (PreparedStatement statement = connection.prepareStatement(
          "select name from sys.databases where name = ? or database_id < ? order by name",
          ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
        statement.setString(1, "tempdb");
        statement.setInt(2, 2);
        ResultSet rows = statement.executeQuery();
        rows.last();
        tell("prepared", rows.getRow() + " " + rows.getString(1));
      }
      // An updatable cursor is not to be had: the driver is told that it got a read-only copy.
      try (Statement statement =
          connection.createStatement(ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_UPDATABLE)) {
        ResultSet rows = statement.executeQuery("select name from sys.databases");
        tell("warned", statement.getWarnings() != null);
        rows.next();
        tell("sensitive", rows.getType() == ResultSet.TYPE_SCROLL_INSENSITIVE);
        tell("updatable", rows.getConcurrency() == ResultSet.CONCUR_UPDATABLE);
      }
      try (Statement statement =
          connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
        tell("syntax", error(() -> statement.executeQuery("select * from nowhere")));
        ResultSet rows = statement.executeQuery("exec sp_databases");
        rows.last();
        tell("procedure", rows.getRow() > 1);
      }
    }
  }
}
