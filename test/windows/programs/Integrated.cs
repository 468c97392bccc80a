using System;
using System.Data;
using System.Data.SqlClient;

/// Logs in with Mono's SqlClient and integrated security. Prints the name that the server has for it.
public static class Integrated
{
    public static void Main(string[] args)
    {
        using (var connection = new SqlConnection(args[0]))
        {
            connection.Open();
            using (var call = new SqlCommand("lab_Echo", connection) { CommandType = CommandType.StoredProcedure })
            {
                call.Parameters.AddWithValue("@Text", "called");
                Console.WriteLine(call.ExecuteScalar());
            }
            using (var who = new SqlCommand("select original_login()", connection)) Console.WriteLine(who.ExecuteScalar());
        }
    }
}
