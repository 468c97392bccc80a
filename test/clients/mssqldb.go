// go-mssqldb as Debian packages it (2017): parameters go through sp_executesql, so return codes and outputs are selected.
package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	mssql "github.com/denisenkom/go-mssqldb"
)

const (
	grain       = "Grüße 中 🌾 𠀋"
	partition   = "93572c0a-d9e1-1395-dab3-932eac7ba30c"
	class       = "00000000-0000-0000-0000-00000000c1a5"
	object      = "00000000-0000-0000-0000-000000000b1e"
	other       = "00000000-0000-0000-0000-000000000b1f"
	translation = "http://schemas.microsoft.com/office/server/translation/2010/11/"
	word        = "http://schemas.microsoft.com/office/server/word/2009/08/"
)

type facts map[string]interface{}

func tell(check string, find func() facts) {
	found := facts{}
	func() {
		defer func() {
			if failure := recover(); failure != nil {
				found = facts{"error": fmt.Sprint(failure)}
			}
		}()
		found = find()
	}()
	found["check"] = check
	line, err := json.Marshal(found)
	must(err)
	fmt.Println(string(line))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func connect(database, password string) *sql.DB {
	encrypt := os.Getenv("CLIENT_ENCRYPT")
	if encrypt == "" {
		encrypt = "true"
	}
	query := url.Values{"database": {database}, "encrypt": {encrypt}, "TrustServerCertificate": {"true"}}
	address := url.URL{
		Scheme:   "sqlserver",
		User:     url.UserPassword("sa", password),
		Host:     os.Getenv("GRANARY_HOST") + ":" + os.Getenv("GRANARY_PORT"),
		RawQuery: query.Encode(),
	}
	db, err := sql.Open("mssql", address.String())
	must(err)
	return db
}

type querier interface {
	Query(query string, args ...interface{}) (*sql.Rows, error)
}

// run tells the rows of every result set, and the error.
func run(db querier, query string, args ...interface{}) ([][][]interface{}, error) {
	rows, err := db.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	sets := [][][]interface{}{}
	for {
		columns, err := rows.Columns()
		if err != nil {
			return nil, err
		}
		set := [][]interface{}{}
		for rows.Next() {
			row := make([]interface{}, len(columns))
			places := make([]interface{}, len(columns))
			for at := range row {
				places[at] = &row[at]
			}
			if err := rows.Scan(places...); err != nil {
				return nil, err
			}
			set = append(set, row)
		}
		if len(columns) > 0 {
			sets = append(sets, set)
		}
		if !rows.NextResultSet() {
			return sets, rows.Err()
		}
	}
}

func sets(db querier, query string, args ...interface{}) [][][]interface{} {
	found, err := run(db, query, args...)
	must(err)
	return found
}

func single(db querier, query string, args ...interface{}) interface{} {
	found := sets(db, query, args...)
	return found[len(found)-1][0][0]
}

func status(db querier, call string, args ...interface{}) interface{} {
	return single(db, "declare @rc int; exec @rc = "+call+"; select @rc", args...)
}

func addJob(db querier, job, items int, name interface{}) interface{} {
	return status(db, "proc_AddJob ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9", job, "user@contoso.com",
		[]byte{0x12, 0x34, 0x56, 0x78, 0x90}, partition, "<settings/>", name, items, 1000, 100)
}

func addGroup(db querier, document string) interface{} {
	return status(db, "proc_AddGroup ?1, ?2, ?3, ?4, ?5, ?6", 1, 1, "http://contoso.com", "http://contoso.com", 2, document)
}

func jobs(db querier, submitted bool) [][]interface{} {
	return sets(db, "exec proc_GetJobs ?1, ?2, ?3, ?4", partition, nil, false, submitted)[0]
}

func translate(db querier) facts {
	added := addJob(db, 1, 2, grain)
	grouped := addGroup(db, `<group xmlns="`+translation+`databaseJobAdd"><item id="1" in="a.docx" out="a_Thai.docx" />`+
		`<item id="2" in="b.docx" out="b_Thai.docx" /></group>`)
	submitted := status(db, "proc_SubmitJob ?1", 1)
	job := jobs(db, true)[0]
	batch := sets(db, "exec proc_GetConversionBatch ?1, ?2", 10, time.Date(2008, 1, 31, 1, 1, 1, 0, time.UTC))[0]
	items := []interface{}{}
	for _, row := range batch {
		items = append(items, []interface{}{row[2], row[4]})
	}
	sets(db, "exec proc_UpdateItemCount ?1, ?2, ?3, ?4; select 0", partition, 9, "2026-03-03", 7)
	return facts{
		"added": added, "grouped": grouped, "submitted": submitted, "limited": addJob(db, 9, 101, grain),
		"job": facts{
			"id": job[0], "created": job[1].(time.Time).Format("2006-01-02T15:04:05.000"), "cancelled": job[2],
			"submitted": job[3], "name": job[4],
		},
		"items":   items,
		"counted": status(db, "proc_GetItemCount ?1, ?2, ?3", partition, 9, "2026-03-03"),
	}
}

func convert(db querier) facts {
	header := strings.Repeat("\xab", 32)
	added := status(db, "proc_AddJob ?1, ?2, ?3, ?4, ?5, ?6", 1, []byte(header), []byte{1, 5, 0}, []byte{0xff}, partition, "<settings/>")
	addGroup(db, `<group xmlns="`+word+`databaseJobAdd"><item id="1" in="a.docx" out="a.pdf" /></group>`)
	status(db, "proc_SubmitJob 1")
	active := status(db, "proc_HasActiveJobs")
	row := sets(db, "exec proc_UpdateConversionBatch ?1", `<batch xmlns="`+word+`databaseBatchUpdate"><start><item job="1" `+
		`group="1" id="1" wsi="b00ae9a1-0474-474e-b348-f6a8bcc95331" /></start><failed /></batch>`)[0][0]
	hexed := func(at int) string { return hex.EncodeToString(row[at].([]byte)) }
	return facts{"added": added, "active": active, "token": facts{"header": hexed(5), "sid": hexed(6), "groups": hexed(7)}}
}

func putObject(db querier, id string, version interface{}) []interface{} {
	found := sets(db, "declare @rc int, @version binary(8); exec @rc = proc_putObject @Id = ?1, @ParentId = null, @ClassId = ?2, "+
		"@Name = ?3, @Status = ?4, @Version = ?5, @Properties = ?6, @AutoResolveMissingTypes = ?7, @ExistingObject = null, "+
		"@NewVersion = @version output; select @rc, @version", id, class, "Farm", 0, version, "<object>"+grain+"</object>", false)
	return found[len(found)-1][0]
}

func configure(db querier) facts {
	registered := status(db, "proc_putClass ?1, ?2, ?3", class, nil, "Example.Farm")
	stored := putObject(db, object, nil)
	version := stored[1].([]byte)
	updated := putObject(db, object, version)
	taken := putObject(db, other, nil)
	sites := single(db, "declare @count int; exec proc_putSiteMap ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, @count output; select @count",
		"00000000-0000-0000-0000-0000000000a1", "00000000-0000-0000-0000-0000000000db", "00000000-0000-0000-0000-00000000051e",
		nil, "/sites/grain", 0, nil, false)
	read := sets(db, "exec proc_getObject ?1", object)[0][0]
	return facts{
		"class": registered, "object": stored[0], "version": hex.EncodeToString(version), "updated": updated[0],
		"taken": taken[0], "sites": sites, "name": read[3], "properties": read[6],
	}
}

func nulls(db querier) facts {
	sent := addJob(db, 2, 0, nil)
	var name interface{} = "not found"
	for _, row := range jobs(db, false) {
		if row[0].(int64) == 2 {
			name = row[4]
		}
	}
	item := sets(db, "exec proc_GetItems ?1, ?2, ?3, ?4, ?4, ?4, ?4, ?4, ?4", 1, 1, partition, true)[0][0]
	return facts{"sent": sent, "name": name, "columns": item[:4]}
}

func longValue(db querier) facts {
	long := []byte(strings.Repeat("grain.", 1747627)[:10485760])
	sent := status(db, "proc_putFileSegment ?1, ?2, ?3", object, long, 0)
	read := sets(db, "exec proc_getFile ?1", object)[0][0][0].([]byte)
	sum := sha256.Sum256(read)
	return facts{"sent": sent, "length": len(read), "sha256": hex.EncodeToString(sum[:])}
}

func numberOf(err error) interface{} {
	if known, ok := err.(mssql.Error); ok {
		return known.Number
	}
	return fmt.Sprint(err)
}

func errors(db querier) facts {
	failing := func(query string, args ...interface{}) interface{} {
		_, err := run(db, query, args...)
		return numberOf(err)
	}
	return facts{
		"unknownProcedure": failing("exec proc_Nothing"),
		"missingParameter": failing("exec proc_SubmitJob"),
		"conversion":       failing("exec proc_SubmitJob ?1", "grain"),
		"duplicate":        failing("exec proc_AddJob 1, null, 0x12, null, '<settings/>'"),
		"unknownTable":     failing("select * from nothing"),
		"syntax":           failing("select 1 +"),
		"raised":           failing("raiserror('grain', 16, 1)"),
		"after":            single(db, "select 1"),
	}
}

func cancel(db *sql.DB) facts {
	short, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	began := time.Now()
	_, err := db.ExecContext(short, "waitfor delay '00:02:00'")
	return facts{"cancelled": err != nil && time.Since(began) < time.Minute, "after": single(db, "select 1")}
}

func transaction(db *sql.DB) facts {
	count := func(on querier) int {
		found := 0
		for _, row := range jobs(on, false) {
			if row[0].(int64) == 3 {
				found++
			}
		}
		return found
	}
	begun, err := db.Begin()
	must(err)
	addJob(begun, 3, 0, nil)
	inside := count(begun)
	must(begun.Rollback())
	return facts{"inside": inside, "after": count(db)}
}

func prepared(db *sql.DB) facts {
	statement, err := db.Prepare("select cast(?1 as varchar(9)) + ' ' + ?2")
	must(err)
	defer statement.Close()
	answers := []interface{}{}
	for at, letter := range []string{"a", "b", "c"} {
		var answer string
		must(statement.QueryRow(at+1, letter).Scan(&answer))
		answers = append(answers, answer)
	}
	return facts{"answers": answers}
}

// pool has more users at a time than connections.
func pool() facts {
	db := connect("TranslationServices", os.Getenv("GRANARY_PASSWORD"))
	// It stays open: this driver panics when a newer Go closes a connection with TLS.
	db.SetMaxOpenConns(2)
	answers := make([]interface{}, 3)
	done := make(chan error)
	for at := range answers {
		go func(at int) {
			var answer int
			err := db.QueryRow(fmt.Sprintf("select %d", at+1)).Scan(&answer)
			answers[at] = answer
			done <- err
		}(at)
	}
	for range answers {
		must(<-done)
	}
	return facts{"answers": answers}
}

func bulk(db *sql.DB) facts {
	begun, err := db.Begin()
	must(err)
	defer begun.Rollback()
	_, err = begun.Exec("create table #grain (id int not null, name nvarchar(50))")
	must(err)
	statement, err := begun.Prepare(mssql.CopyIn("#grain", mssql.MssqlBulkOptions{}, "id", "name"))
	must(err)
	for at, name := range []interface{}{"one", nil, "three", grain} {
		_, err = statement.Exec(at+1, name)
		must(err)
	}
	_, err = statement.Exec()
	must(err)
	must(statement.Close())
	rows := sets(begun, "select id, name from #grain order by id")[0]
	return facts{"rows": rows[:3], "text": rows[3][1], "links": bulkLinks(db)}
}

func bulkLinks(db *sql.DB) [][]interface{} {
	const table = "Search_CrawlStore.dbo.MSSColleagueLinks"
	columns := []string{"CrawlID", "SourceDocID", "SourceUserID", "TargetUserID", "Pid"}
	begun, err := db.Begin()
	must(err)
	defer begun.Rollback()
	statement, err := begun.Prepare(mssql.CopyIn(table, mssql.MssqlBulkOptions{}, columns...))
	must(err)
	for _, row := range [][]interface{}{{7, 1, nil, 10, 394}, {7, 2, 20, 30, -1}} {
		_, err = statement.Exec(row...)
		must(err)
	}
	_, err = statement.Exec()
	must(err)
	must(statement.Close())
	return sets(begun, "select "+strings.Join(columns, ", ")+" from "+table+" order by LinkID")[0]
}

func metadata(db querier) facts {
	parameters := map[string]interface{}{}
	for _, row := range sets(db, "exec sp_sproc_columns 'proc_AddJob'")[0] {
		if row[3] != "@RETURN_VALUE" {
			parameters[row[3].(string)] = row[6]
		}
	}
	return facts{"parameters": parameters}
}

func names(db querier, query string) facts {
	found := []interface{}{}
	for _, row := range sets(db, query)[0] {
		found = append(found, row[0])
	}
	return facts{"names": found}
}

func main() {
	password := os.Getenv("GRANARY_PASSWORD")
	tell("client", func() facts { return facts{"version": os.Getenv("CLIENT_VERSION")} })
	translations := connect("TranslationServices", password)
	translations.SetMaxOpenConns(2)
	tell("login", func() facts {
		row := sets(translations, "select suser_sname(), encrypt_option, protocol_version from sys.dm_exec_connections "+
			"where session_id = @@spid")[0][0]
		return facts{"user": row[0], "encrypted": row[1], "protocol": row[2]}
	})
	tell("refused", func() facts {
		// The driver wraps the error of a login in a text.
		err := connect("master", "wrong").Ping()
		if err != nil && strings.HasSuffix(err.Error(), "Login failed for user 'sa'.") {
			return facts{"number": 18456}
		}
		return facts{"number": fmt.Sprint(err)}
	})
	tell("databases", func() facts { return names(translations, "select name from sys.databases") })
	tell("procedures", func() facts { return names(translations, "select name from sys.procedures") })
	tell("translation", func() facts { return translate(translations) })
	tell("word", func() facts { return convert(connect("WordAutomationServices", password)) })
	farms := connect("SharePoint_Config", password)
	tell("config", func() facts { return configure(farms) })
	tell("sets", func() facts {
		counts := []int{}
		for _, set := range sets(farms, "exec proc_getNewObjects ?1", make([]byte, 8)) {
			counts = append(counts, len(set))
		}
		return facts{"rows": counts}
	})
	tell("nulls", func() facts { return nulls(translations) })
	tell("long", func() facts { return longValue(farms) })
	tell("errors", func() facts { return errors(translations) })
	tell("cancel", func() facts { return cancel(translations) })
	tell("transaction", func() facts { return transaction(translations) })
	tell("prepared", func() facts { return prepared(translations) })
	tell("pool", pool)
	tell("bulk", func() facts { return bulk(translations) })
	tell("metadata", func() facts { return metadata(translations) })
}
