"""Logs in with python-tds and the ticket of the environment. Prints the name that the server has for it."""
import sys
import pytds
import pytds.login

port = int(sys.argv[1])
auth = pytds.login.KerberosAuth("MSSQLSvc@localhost:%d" % port)
with pytds.connect(dsn="localhost", port=port, database="Lab", auth=auth) as connection:
    cursor = connection.cursor()
    cursor.callproc("lab_Echo", ("called",))
    print(cursor.fetchone()[0])
    cursor.execute("select original_login()")
    print(cursor.fetchone()[0])
