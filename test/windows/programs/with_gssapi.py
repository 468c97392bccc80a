"""Logs in with python-tds and tokens of python-gssapi: PORT, then `spnego`, `dce` (one more token), `ntlm-first` (a favourite that
the server may not know), `ca=FILE` (TLS) and what to
bind to (`unique`, `end-point`, `wrong`). Prints how many tokens went, and the name that the server has for the user."""
import hashlib
import sys
import gssapi
import gssapi.raw
import OpenSSL
import pytds
import pytds.tls

port = int(sys.argv[1])
wanted = set(sys.argv[2:])
authority = next((each[3:] for each in wanted if each.startswith("ca=")), None)
channels = []
spnego = gssapi.OID.from_int_seq("1.3.6.1.5.5.2")


class Connection(OpenSSL.SSL.Connection):
    """Notes itself: python-tds does not hand out the channel that it makes."""

    def __init__(self, *args):
        super().__init__(*args)
        channels.append(self)


pytds.tls.OpenSSL.SSL.Connection = Connection


def bindings():
    if "unique" in wanted:
        data = b"tls-unique:" + channels[0].get_finished()
    elif "end-point" in wanted:
        der = OpenSSL.crypto.dump_certificate(OpenSSL.crypto.FILETYPE_ASN1, channels[0].get_peer_certificate())
        data = b"tls-server-end-point:" + hashlib.sha256(der).digest()
    elif "wrong" in wanted:
        data = b"tls-unique:of another channel"
    else:
        return None
    return gssapi.raw.ChannelBindings(application_data=data)


class Auth:
    tokens = 0

    def create_packet(self):
        flags = [gssapi.RequirementFlag.mutual_authentication, gssapi.RequirementFlag.replay_detection]
        if "dce" in wanted:
            flags.append(gssapi.RequirementFlag.dce_style)
        credential = None
        if "ntlm-first" in wanted:
            ntlm = gssapi.OID.from_int_seq("1.3.6.1.4.1.311.2.2.10")
            credential = gssapi.Credentials(usage="initiate", mechs=[spnego, ntlm, gssapi.MechType.kerberos])
            gssapi.raw.set_neg_mechs(credential, [ntlm, gssapi.MechType.kerberos])
        self.context = gssapi.SecurityContext(
            creds=credential,
            name=gssapi.Name("MSSQLSvc@localhost", gssapi.NameType.hostbased_service),
            mech=spnego if "spnego" in wanted else gssapi.MechType.kerberos,
            flags=flags,
            usage="initiate",
            channel_bindings=bindings(),
        )
        return self.handle_next(None)

    def handle_next(self, packet):
        token = self.context.step(packet)
        self.tokens += 1 if token else 0
        return token or b""

    def close(self):
        pass


auth = Auth()
tls = {} if authority is None else {"cafile": authority, "validate_host": False}
with pytds.connect(dsn="localhost", port=port, database="Lab", auth=auth, **tls) as connection:
    print("tokens: %d" % auth.tokens)
    cursor = connection.cursor()
    cursor.callproc("lab_Echo", ("called",))
    print(cursor.fetchone()[0])
    cursor.execute("select original_login()")
    print(cursor.fetchone()[0])
