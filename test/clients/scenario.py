"""What the three clients in Python have in common: the values they send, and how they tell what they found out."""

import hashlib
import json
import os

HOST = os.environ["GRANARY_HOST"]
PORT = int(os.environ["GRANARY_PORT"])
PASSWORD = os.environ["GRANARY_PASSWORD"]
CA = os.environ["GRANARY_CA"]

GRAIN = "Grüße 中 🌾 𠀋"
PARTITION = "93572c0a-d9e1-1395-dab3-932eac7ba30c"
CLASS = "00000000-0000-0000-0000-00000000c1a5"
OBJECT = "00000000-0000-0000-0000-000000000b1e"
OTHER = "00000000-0000-0000-0000-000000000b1f"
APPLICATION = "00000000-0000-0000-0000-0000000000a1"
DATABASE = "00000000-0000-0000-0000-0000000000db"
SITE = "00000000-0000-0000-0000-00000000051e"
PROPERTIES = "<object>" + GRAIN + "</object>"
TRANSLATION = "http://schemas.microsoft.com/office/server/translation/2010/11/"
WORD = "http://schemas.microsoft.com/office/server/word/2009/08/"
TRANSLATION_GROUP = (
    '<group xmlns="' + TRANSLATION + 'databaseJobAdd"><item id="1" in="a.docx" out="a_Thai.docx" />'
    '<item id="2" in="b.docx" out="b_Thai.docx" /></group>'
)
WORD_GROUP = '<group xmlns="' + WORD + 'databaseJobAdd"><item id="1" in="a.docx" out="a.pdf" /></group>'
WORD_BATCH = (
    '<batch xmlns="' + WORD + 'databaseBatchUpdate"><start><item job="1" group="1" id="1" '
    'wsi="b00ae9a1-0474-474e-b348-f6a8bcc95331" /></start><failed /></batch>'
)
LONG = (b"grain." * 1747627)[:10485760]
CONNECTION = (
    "select suser_sname(), encrypt_option, protocol_version from sys.dm_exec_connections where session_id = @@spid"
)


def tell(check, find):
    """Prints the facts of one check as a line of JSON; what fails is told as well."""
    try:
        facts = find()
    except Exception as error:  # every check is made, whatever became of the one before
        facts = {"error": repr(error)}
    print(json.dumps({"check": check, **facts}, ensure_ascii=False, default=str), flush=True)


def moment(value):
    """A datetime as the test compares it."""
    return value.isoformat(timespec="milliseconds")


def long_facts(sent, read):
    return {"sent": sent, "length": len(read), "sha256": hashlib.sha256(read).hexdigest()}
