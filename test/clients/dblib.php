<?php
// PDO with dblib (FreeTDS' DB-Library): every value goes as quoted text, and a return code has to be selected.
const GRAIN = 'Grüße 中 🌾 𠀋';
const PARTITION = '93572c0a-d9e1-1395-dab3-932eac7ba30c';
const CLASS_ID = '00000000-0000-0000-0000-00000000c1a5';
const OBJECT = '00000000-0000-0000-0000-000000000b1e';
const OTHER = '00000000-0000-0000-0000-000000000b1f';
const TRANSLATION = 'http://schemas.microsoft.com/office/server/translation/2010/11/';
const WORD = 'http://schemas.microsoft.com/office/server/word/2009/08/';

function tell(string $check, callable $find): void
{
    try {
        $facts = $find();
    } catch (Throwable $error) {
        $facts = ['error' => $error->getMessage()];
    }
    echo json_encode(['check' => $check] + $facts, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES), "\n";
}

function connect(string $database, ?string $password = null): PDO
{
    $dsn = 'dblib:host=' . getenv('GRANARY_HOST') . ':' . getenv('GRANARY_PORT') . ";dbname=$database;charset=UTF-8";
    return new PDO($dsn, 'sa', $password ?? getenv('GRANARY_PASSWORD'), [
        PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
        PDO::DBLIB_ATTR_STRINGIFY_UNIQUEIDENTIFIER => true,
        PDO::ATTR_DEFAULT_STR_PARAM => PDO::PARAM_STR_NATL, // text goes as N'…'
        PDO::DBLIB_ATTR_DATETIME_CONVERT => true, // the only form with milliseconds
    ]);
}

/** Runs a statement; the rows of every result set. */
function run(PDO $db, string $query, array $values = []): array
{
    $statement = $db->prepare($query);
    $statement->execute($values);
    $sets = [];
    do {
        if ($statement->columnCount() > 0) {
            $sets[] = $statement->fetchAll(PDO::FETCH_NUM);
        }
    } while ($statement->nextRowset());
    return $sets;
}

/** The return code of a call. */
function status(PDO $db, string $call, array $values = []): int
{
    $sets = run($db, "declare @rc int exec @rc = $call select @rc", $values);
    return (int) end($sets)[0][0];
}

function addJob(PDO $db, int $job, int $items, ?string $name = GRAIN): int
{
    $values = [$job, 'user@contoso.com', PARTITION, '<settings/>', $name, $items];
    return status($db, 'proc_AddJob @JobId = ?, @UserId = ?, @UserToken = 0x1234567890, @PartitionId = ?, @Settings = ?, '
        . '@Name = ?, @ItemCount = ?, @MaxItemsPerDay = 1000, @MaxItemsPerPartitionPerDay = 100', $values);
}

function jobs(PDO $db, int $submitted): array
{
    return run($db, 'exec proc_GetJobs ?, ?, ?, ?', [PARTITION, null, 0, $submitted])[0];
}

function addGroup(PDO $db, string $document): int
{
    return status($db, 'proc_AddGroup ?, ?, ?, ?, ?, ?', [1, 1, 'http://contoso.com', 'http://contoso.com', 2, $document]);
}

function translation(PDO $db): array
{
    $added = addJob($db, 1, 2);
    $grouped = addGroup($db, '<group xmlns="' . TRANSLATION . 'databaseJobAdd"><item id="1" in="a.docx" out="a_Thai.docx" />'
        . '<item id="2" in="b.docx" out="b_Thai.docx" /></group>');
    $submitted = status($db, 'proc_SubmitJob ?', [1]);
    $job = jobs($db, 1)[0];
    $batch = run($db, 'exec proc_GetConversionBatch ?, ?', [10, '2008-01-31 01:01:01'])[0];
    $day = [PARTITION, 9, '2026-03-03'];
    status($db, 'proc_UpdateItemCount ?, ?, ?, 7', $day);
    return [
        'added' => $added,
        'grouped' => $grouped,
        'submitted' => $submitted,
        'limited' => addJob($db, 9, 101),
        'job' => [
            'id' => (int) $job[0],
            'created' => date_create_from_format('M j Y h:i:s:vA', $job[1])->format('Y-m-d\TH:i:s.v'),
            'cancelled' => $job[2],
            'submitted' => (bool) $job[3],
            'name' => $job[4],
        ],
        'items' => array_map(fn (array $row) => [$row[2], $row[4]], $batch),
        'counted' => status($db, 'proc_GetItemCount ?, ?, ?', $day),
    ];
}

function word(PDO $db): array
{
    $token = '0x' . str_repeat('ab', 32) . ', 0x010500, 0xff';
    $added = status($db, "proc_AddJob ?, $token, ?, ?", [1, PARTITION, '<settings/>']);
    addGroup($db, '<group xmlns="' . WORD . 'databaseJobAdd"><item id="1" in="a.docx" out="a.pdf" /></group>');
    status($db, 'proc_SubmitJob 1');
    $active = status($db, 'proc_HasActiveJobs');
    $batch = '<batch xmlns="' . WORD . 'databaseBatchUpdate"><start><item job="1" group="1" id="1" '
        . 'wsi="b00ae9a1-0474-474e-b348-f6a8bcc95331" /></start><failed /></batch>';
    $row = run($db, 'exec proc_UpdateConversionBatch ?', [$batch])[0][0];
    $token = ['header' => bin2hex($row[5]), 'sid' => bin2hex($row[6]), 'groups' => bin2hex($row[7])];
    return ['added' => $added, 'active' => $active, 'token' => $token];
}

function putObject(PDO $db, string $id, string $version): array
{
    $sets = run($db, 'declare @rc int, @version binary(8) exec @rc = proc_putObject @Id = ?, @ParentId = null, @ClassId = ?, '
        . "@Name = ?, @Status = ?, @Version = $version, @Properties = ?, @AutoResolveMissingTypes = ?, @ExistingObject = null, "
        . '@NewVersion = @version output select @rc, @version', [$id, CLASS_ID, 'Farm', 0, '<object>' . GRAIN . '</object>', 0]);
    return end($sets)[0];
}

function configuration(PDO $db): array
{
    $registered = status($db, 'proc_putClass ?, ?, ?', [CLASS_ID, null, 'Example.Farm']);
    [$stored, $version] = putObject($db, OBJECT, 'null');
    [$updated] = putObject($db, OBJECT, '0x' . bin2hex($version));
    [$taken] = putObject($db, OTHER, 'null');
    $sites = run($db, 'declare @count int exec proc_putSiteMap ?, ?, ?, ?, ?, ?, ?, ?, @count output select @count', [
        '00000000-0000-0000-0000-0000000000a1', '00000000-0000-0000-0000-0000000000db',
        '00000000-0000-0000-0000-00000000051e', null, '/sites/grain', 0, null, 0,
    ]);
    $read = run($db, 'exec proc_getObject ?', [OBJECT])[0][0];
    return [
        'class' => $registered,
        'object' => (int) $stored,
        'version' => bin2hex($version),
        'updated' => (int) $updated,
        'taken' => (int) $taken,
        'sites' => (int) end($sites)[0][0],
        'name' => $read[3],
        'properties' => $read[6],
    ];
}

function nulls(PDO $db): array
{
    $sent = addJob($db, 2, 0, null);
    $job = current(array_filter(jobs($db, 0), fn (array $row) => (int) $row[0] === 2));
    $item = run($db, 'exec proc_GetItems ?, ?, ?, 1, 1, 1, 1, 1, 1', [1, 1, PARTITION])[0][0];
    return ['sent' => $sent, 'name' => $job[4], 'columns' => array_slice($item, 0, 4)];
}

function longValue(PDO $db): array
{
    $long = substr(str_repeat('grain.', 1747627), 0, 10485760);
    $sent = status($db, 'proc_putFileSegment ?, 0x' . bin2hex($long) . ', 0', [OBJECT]);
    $read = run($db, 'exec proc_getFile ?', [OBJECT])[0][0][0];
    return ['sent' => $sent, 'length' => strlen($read), 'sha256' => hash('sha256', $read)];
}

/** DB-Library's number (20018) is all that PDO hands over beside the text of the server. */
const TEXTS = [
    2812 => "Could not find stored procedure 'proc_Nothing'.",
    201 => "Procedure or function 'proc_SubmitJob' expects parameter '@JobId', which was not supplied.",
    8114 => 'Error converting data type nvarchar to bigint.',
    2627 => 'Cannot insert duplicate key',
    208 => "Invalid object name 'nothing'.",
    102 => "Incorrect syntax near '+'.",
    50000 => 'grain',
];

function numberOf(callable $run): int|string|null
{
    try {
        $run();
        return null;
    } catch (PDOException $error) {
        $text = $error->errorInfo[2];
        return key(array_filter(TEXTS, fn (string $known) => str_contains($text, $known))) ?? $text;
    }
}

function errors(PDO $db): array
{
    return [
        'unknownProcedure' => numberOf(fn () => run($db, 'exec proc_Nothing')),
        'missingParameter' => numberOf(fn () => run($db, 'exec proc_SubmitJob')),
        'conversion' => numberOf(fn () => run($db, 'exec proc_SubmitJob ?', ['grain'])),
        'duplicate' => numberOf(fn () => addJob($db, 1, 0)),
        'unknownTable' => numberOf(fn () => run($db, 'select * from nothing')),
        'syntax' => numberOf(fn () => run($db, 'select 1 +')),
        'raised' => numberOf(fn () => run($db, "raiserror('grain', 16, 1)")),
        'after' => run($db, 'select 1')[0][0][0],
    ];
}

function transaction(PDO $db): array
{
    $count = fn () => count(array_filter(jobs($db, 0), fn (array $row) => (int) $row[0] === 3));
    $db->beginTransaction();
    addJob($db, 3, 0);
    $inside = $count();
    $db->rollBack();
    return ['inside' => $inside, 'after' => $count()];
}

function pool(): array
{
    $answers = [];
    foreach ([1, 2, 3] as $number) {
        $dsn = 'dblib:host=' . getenv('GRANARY_HOST') . ':' . getenv('GRANARY_PORT') . ';dbname=TranslationServices';
        $db = new PDO($dsn, 'sa', getenv('GRANARY_PASSWORD'), [PDO::ATTR_PERSISTENT => true]);
        $answers[] = run($db, "select $number")[0][0][0];
        $db = null;
    }
    return ['answers' => $answers];
}

function metadata(PDO $db): array
{
    $rows = array_filter(run($db, "exec sp_sproc_columns 'proc_AddJob'")[0], fn (array $row) => $row[3] !== '@RETURN_VALUE');
    return ['parameters' => array_combine(array_column($rows, 3), array_column($rows, 6))];
}

tell('client', fn () => ['version' => phpversion('pdo_dblib')]);
$translations = connect('TranslationServices');
tell('login', function () use ($translations) {
    $about = 'select suser_sname(), encrypt_option, protocol_version from sys.dm_exec_connections where session_id = @@spid';
    [$user, $encrypted, $protocol] = run($translations, $about)[0][0];
    return ['user' => $user, 'encrypted' => $encrypted, 'protocol' => $protocol];
});
tell('databases', fn () => ['names' => array_column(run($translations, 'select name from sys.databases')[0], 0)]);
tell('procedures', fn () => ['names' => array_column(run($translations, 'select name from sys.procedures')[0], 0)]);
tell('translation', fn () => translation($translations));
tell('word', fn () => word(connect('WordAutomationServices')));
$farms = connect('SharePoint_Config');
tell('config', fn () => configuration($farms));
tell('sets', fn () => ['rows' => array_map('count', run($farms, 'exec proc_getNewObjects 0x0000000000000000'))]);
tell('nulls', fn () => nulls($translations));
tell('long', fn () => longValue($farms));
tell('errors', fn () => errors($translations));
tell('transaction', fn () => transaction($translations));
tell('pool', fn () => pool());
tell('metadata', fn () => metadata($translations));
