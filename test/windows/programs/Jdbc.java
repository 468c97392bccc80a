import java.sql.*;

/** Logs in as Windows knows it: the URL says how. Prints the name that the server has for it. */
public class Jdbc {
  public static void main(String[] args) throws Exception {
    if (args[0].startsWith("jdbc:jtds")) Class.forName("net.sourceforge.jtds.jdbc.Driver");
    try (Connection connection = args.length > 1
            ? DriverManager.getConnection(args[0], args[1], args[2])
            : DriverManager.getConnection(args[0]);
        CallableStatement call = connection.prepareCall("{call lab_Echo(?)}")) {
      call.setString(1, "called");
      ResultSet rows = call.executeQuery();
      rows.next();
      System.out.println(rows.getString(1));
      ResultSet who = connection.createStatement().executeQuery("select original_login()");
      who.next();
      System.out.println(who.getString(1));
    }
  }
}
