"""Logs in with pymssql and the ticket of the environment. Prints the name that the server has for it."""
import sys
import pymssql

with pymssql.connect(server="localhost", port=sys.argv[1], database="Lab") as connection:
    cursor = connection.cursor()
    cursor.execute("exec lab_Echo %s", ("called",))
    print(cursor.fetchone()[0])
    cursor.execute("select original_login()")
    print(cursor.fetchone()[0])
