"""SQLAlchemy over the driver that SQLALCHEMY_DRIVER names."""

import glob
import os
import sys
from decimal import Decimal
from urllib.parse import quote_plus

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import sqlalchemy as sa
from sqlalchemy.orm import Session, declarative_base

from scenario import HOST, PASSWORD, PORT, tell

DRIVER = os.environ["SQLALCHEMY_DRIVER"]
DOUBLE = "create or alter procedure dbo.orm_double @n int, @twice int output as set @twice = @n * 2"


def connect(database):
    if DRIVER == "pymssql":
        url = "mssql+pymssql://sa:%s@%s:%s/%s" % (quote_plus(PASSWORD), HOST, PORT, database)
    else:
        options = "DRIVER=%s;SERVER=%s;PORT=%s;UID=sa;PWD={%s};DATABASE=%s;TDS_Version=7.4;ClientCharset=UTF-8" % (
            glob.glob("/usr/lib/*/odbc/libtdsodbc.so")[0], HOST, PORT, PASSWORD, database)
        url = "mssql+pyodbc:///?odbc_connect=" + quote_plus(options)
    return sa.create_engine(url)


db = connect("tempdb")
farm = connect("Search_CrawlStore")
Base = declarative_base()


class Book(Base):
    __tablename__ = "orm_books"
    id = sa.Column(sa.Integer, primary_key=True)
    title = sa.Column(sa.Unicode(100), nullable=False, unique=True)
    price = sa.Column(sa.Numeric(10, 2))
    sold = sa.Column(sa.Boolean, default=False)


def models():
    Base.metadata.drop_all(db)
    Base.metadata.create_all(db)
    with Session(db) as session:
        first = Book(title="Grain", price=Decimal("1.5"))
        session.add(first)
        session.commit()
        number = first.id
        session.add_all([Book(title="Ähre"), Book(title="Scheune")])
        session.commit()
        found = session.query(Book).filter_by(title="Ähre").one()
        found.price, found.sold = Decimal("2.25"), True
        session.commit()
        session.query(Book).filter(Book.title.like("Sch%")).delete(synchronize_session=False)
        session.commit()
        books = session.query(Book).order_by(Book.id).offset(0).limit(10).all()
        return {"first": number, "books": [[book.title, float(book.price), book.sold] for book in books]}


def reflection():
    seen, of = sa.inspect(db), sa.inspect(farm)
    table = sa.Table("orm_books", sa.MetaData(), autoload_with=db)
    assert seen.get_pk_constraint("orm_books")["constrained_columns"] == ["id"]
    assert ["title"] in [each["column_names"] for each in seen.get_indexes("orm_books")]
    everything = sa.MetaData()
    everything.reflect(bind=farm)
    assert "MSSColleagueLinks" in everything.tables
    return {
        "there": ["orm_books" in seen.get_table_names(), "price" in table.columns],
        "own": sorted(table.columns.keys()),
        "protocol": sorted(column["name"] for column in of.get_columns("MSSColleagueLinks")),
    }


def raw():
    with db.connect() as connection:
        rows = connection.execute(sa.text("select :a as a, :b as b"), {"a": 7, "b": "ü"}).mappings().all()
        return {"rows": [dict(row) for row in rows]}


def procedures():
    with db.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(DOUBLE)
        call = "set nocount on declare @twice int exec dbo.orm_double 21, @twice output select @twice as twice"
        protocol = ("set nocount on declare @code int exec @code = TranslationServices.dbo.proc_SubmitJob @JobId = 4711 "
                    "select @code as code")
        return {
            "output": connection.exec_driver_sql(call).scalar(),
            "code": connection.exec_driver_sql(protocol).scalar(),
        }


def transactions():
    with Session(db) as session, session.begin():
        session.add(Book(title="kept"))
    try:
        with Session(db) as session, session.begin():
            session.add(Book(title="undone"))
            session.flush()
            raise ValueError("no")
    except ValueError:
        pass
    with Session(db) as session:
        return {"count": session.query(Book).count()}


tell("models", models)
tell("reflection", reflection)
tell("raw", raw)
tell("procedures", procedures)
tell("transactions", transactions)
