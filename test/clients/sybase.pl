#!/usr/bin/perl
# DBD::Sybase over FreeTDS' CT-Library: rows, the return code and output values come as result sets of their own.
use strict;
use warnings;
use utf8;
use DBI;
use Digest::SHA qw(sha256_hex);
use Encode qw(decode encode);
use JSON::PP;
use List::Util qw(first);

my $partition = '93572c0a-d9e1-1395-dab3-932eac7ba30c';
my $class = '00000000-0000-0000-0000-00000000c1a5';
my $object = '00000000-0000-0000-0000-000000000b1e';
my $other = '00000000-0000-0000-0000-000000000b1f';
my $grain = 'Grüße 中 🌾 𠀋';
my $translation = 'http://schemas.microsoft.com/office/server/translation/2010/11/';
my $word = 'http://schemas.microsoft.com/office/server/word/2009/08/';
my $json = JSON::PP->new->utf8->canonical->allow_nonref;
my ($rows_type, $param_type, $status_type) = (4040, 4042, 4043);

sub tell_facts {
  my ($check, $find) = @_;
  my $facts = eval { $find->() } // { error => "$@" };
  print $json->encode({ check => $check, %$facts }), "\n";
}

sub number { defined $_[0] ? $_[0] + 0 : undef }
sub text { defined $_[0] ? decode('UTF-8', $_[0]) : undef }

sub connect_to {
  my ($database, $password) = @_;
  my $server = "host=$ENV{GRANARY_HOST};port=$ENV{GRANARY_PORT}";
  return DBI->connect(
    "dbi:Sybase:$server;database=$database;charset=UTF-8",
    'sa', $password // $ENV{GRANARY_PASSWORD},
    { RaiseError => 1, PrintError => 0, AutoCommit => 1, syb_date_fmt => 'ISO' },
  );
}

# Runs a batch: the rows of each result set, and the last return code.
sub run {
  my ($db, $query, @values) = @_;
  my $statement = $db->prepare($query);
  $statement->execute(@values);
  my (@sets, $status, @outputs);
  do {
    if ($statement->{NUM_OF_FIELDS}) {
      my $type = $statement->{syb_result_type};
      my $rows = $statement->fetchall_arrayref;
      if ($type == $status_type) { $status = $rows->[0][0] }
      elsif ($type == $param_type) { push @outputs, @{ $rows->[0] } }
      else { push @sets, $rows }
    }
  } while ($statement->{syb_more_results});
  return { sets => \@sets, status => number($status), outputs => \@outputs };
}

sub quoted { my ($value) = @_; $value =~ s/'/''/g; return encode('UTF-8', "N'$value'") }

sub add_job {
  my ($db, $job, $items, $name) = @_;
  return run($db, "exec proc_AddJob $job, N'user\@contoso.com', 0x1234567890, '$partition', N'<settings/>', "
      . (defined $name ? quoted($name) : 'null') . ", $items, 1000, 100")->{status};
}

sub jobs { my ($db, $submitted) = @_; return run($db, "exec proc_GetJobs '$partition', null, 0, $submitted")->{sets}[0] }

sub add_group {
  my ($db, $document) = @_;
  return run($db, "exec proc_AddGroup 1, 1, 'http://contoso.com', 'http://contoso.com', 2, '$document'")->{status};
}

sub translation {
  my ($db) = @_;
  my $added = add_job($db, 1, 2, $grain);
  my $grouped = add_group($db, qq(<group xmlns="${translation}databaseJobAdd"><item id="1" in="a.docx" out="a_Thai.docx" />)
      . qq(<item id="2" in="b.docx" out="b_Thai.docx" /></group>));
  my $submitted = run($db, 'exec proc_SubmitJob 1')->{status};
  my $job = jobs($db, 1)->[0];
  my $batch = run($db, "exec proc_GetConversionBatch 10, '20080131 01:01:01'")->{sets}[0];
  run($db, "exec proc_UpdateItemCount '$partition', 9, '2026-03-03', 7");
  (my $created = $job->[1]) =~ s/^(\S+)[ T](\S{12}).*/$1T$2/;
  return {
    added => $added, grouped => $grouped, submitted => $submitted, limited => add_job($db, 9, 101, $grain),
    job => {
      id => number($job->[0]), created => $created, cancelled => $job->[2],
      submitted => $job->[3] ? JSON::PP::true : JSON::PP::false, name => text($job->[4]),
    },
    items => [map { [number($_->[2]), $_->[4]] } @$batch],
    # Placeholders of a call go by RPC, each as text.
    counted => run($db, 'exec proc_GetItemCount ?, ?, ?', $partition, 9, '2026-03-03')->{status},
  };
}

sub word {
  my ($db) = @_;
  my $added = run($db, 'exec proc_AddJob 1, 0x' . 'ab' x 32 . ", 0x010500, 0xff, '$partition', N'<settings/>'")->{status};
  add_group($db, qq(<group xmlns="${word}databaseJobAdd"><item id="1" in="a.docx" out="a.pdf" /></group>));
  run($db, 'exec proc_SubmitJob 1');
  my $active = run($db, 'exec proc_HasActiveJobs')->{status};
  my $token = run($db, qq(exec proc_UpdateConversionBatch '<batch xmlns="${word}databaseBatchUpdate"><start><item job="1" )
      . qq(group="1" id="1" wsi="b00ae9a1-0474-474e-b348-f6a8bcc95331" /></start><failed /></batch>'))->{sets}[0][0];
  return { added => $added, active => $active,
    token => { header => lc $token->[5], sid => lc $token->[6], groups => lc $token->[7] } };
}

sub put_object {
  my ($db, $id, $version) = @_;
  my $answer = run($db, 'declare @version binary(8) exec proc_putObject ' . "'$id', null, '$class', 'Farm', 0, $version, "
      . quoted("<object>$grain</object>") . ', 0, null, @version output select @version');
  return ($answer->{status}, $answer->{sets}[-1][0][0]);
}

sub config {
  my ($db) = @_;
  my $registered = run($db, "exec proc_putClass '$class', null, 'Example.Farm'")->{status};
  my ($stored, $version) = put_object($db, $object, 'null');
  $version =~ s/^0x//i;
  my ($updated) = put_object($db, $object, "0x$version");
  my ($taken) = put_object($db, $other, 'null');
  my $site = run($db, 'declare @count int exec proc_putSiteMap '
      . "'00000000-0000-0000-0000-0000000000a1', '00000000-0000-0000-0000-0000000000db', '00000000-0000-0000-0000-00000000051e', "
      . 'null, \'/sites/grain\', 0, null, 0, @count output select @count');
  my $read = run($db, "exec proc_getObject '$object'")->{sets}[0][0];
  return {
    class => $registered, object => $stored, version => lc $version, updated => $updated, taken => $taken,
    sites => number($site->{sets}[-1][0][0]), name => $read->[3], properties => text($read->[6]),
  };
}

sub nulls {
  my ($db) = @_;
  my $sent = add_job($db, 2, 0, undef);
  my $job = first { $_->[0] == 2 } @{ jobs($db, 0) };
  my $item = run($db, "exec proc_GetItems 1, 1, '$partition', 1, 1, 1, 1, 1, 1")->{sets}[0][0];
  return { sent => $sent, name => $job->[4], columns => [number($item->[0]), @$item[1 .. 3]] };
}

sub long_value {
  my ($db) = @_;
  my $long = substr('grain.' x 1747627, 0, 10485760);
  my $sent = run($db, "exec proc_putFileSegment '$object', 0x" . unpack('H*', $long) . ', 0')->{status};
  # Bytes are read as two digits each, into a buffer as long as the column is told to be.
  $db->do('set textsize 30000000');
  my $read = pack('H*', run($db, "exec proc_getFile '$object'")->{sets}[0][0][0]);
  return { sent => $sent, length => length $read, sha256 => sha256_hex($read) };
}

sub number_of {
  my ($run) = @_;
  return undef if eval { $run->(); 1 };
  return $DBI::err;
}

sub errors {
  my ($db) = @_;
  return {
    unknownProcedure => number_of(sub { run($db, 'exec proc_Nothing') }),
    missingParameter => number_of(sub { run($db, 'exec proc_SubmitJob') }),
    conversion => number_of(sub { run($db, "exec proc_SubmitJob 'grain'") }),
    duplicate => number_of(sub { add_job($db, 1, 0, undef) }),
    unknownTable => number_of(sub { run($db, 'select * from nothing') }),
    syntax => number_of(sub { run($db, 'select 1 +') }),
    raised => number_of(sub { run($db, "raiserror('grain', 16, 1)") }),
    after => number(run($db, 'select 1')->{sets}[0][0][0]),
  };
}

# begin_work would end in a COMMIT of nothing (3902): the way of this driver is a connection whose AutoCommit is off.
sub transaction {
  my $db = connect_to('TranslationServices');
  $db->{AutoCommit} = 0;
  my $count = sub { scalar grep { $_->[0] == 3 } @{ jobs($db, 0) } };
  add_job($db, 3, 0, undef);
  my $inside = $count->();
  $db->rollback;
  my $after = $count->();
  $db->disconnect; # which rolls back what the count has begun
  return { inside => $inside, after => $after };
}

sub prepared {
  my ($db) = @_;
  my $statement = $db->prepare("select cast(? as varchar(9)) + ' ' + ?");
  my @answers;
  for my $values ([1, 'a'], [2, 'b'], [3, 'c']) {
    $statement->execute(@$values);
    push @answers, $statement->fetchall_arrayref->[0][0];
  }
  return { answers => \@answers };
}

sub metadata {
  my ($db) = @_;
  my $rows = run($db, "exec sp_sproc_columns 'proc_AddJob'")->{sets}[0];
  return { parameters => { map { $_->[3] => $_->[6] } grep { $_->[3] ne '@RETURN_VALUE' } @$rows } };
}

my $about = 'select suser_sname(), encrypt_option, protocol_version from sys.dm_exec_connections where session_id = @@spid';
tell_facts(client => sub { { version => $DBD::Sybase::VERSION // (require DBD::Sybase && $DBD::Sybase::VERSION) } });
my $translations = connect_to('TranslationServices');
tell_facts(login => sub {
  my $row = run($translations, $about)->{sets}[0][0];
  return { user => $row->[0], encrypted => $row->[1], protocol => number($row->[2]) };
});
tell_facts(refused => sub {
  eval { connect_to('master', 'wrong') };
  return { number => $@ =~ /Server message number=(\d+)/ ? number($1) : "$@" };
});
tell_facts(databases => sub { { names => [map { $_->[0] } @{ run($translations, 'select name from sys.databases')->{sets}[0] }] } });
tell_facts(procedures => sub {
  my $rows = run($translations, 'exec sp_stored_procedures')->{sets}[0];
  return { names => [map { $_->[2] =~ s/;1$//r } @$rows] };
});
tell_facts(translation => sub { translation($translations) });
tell_facts(word => sub { word(connect_to('WordAutomationServices')) });
my $farms = connect_to('SharePoint_Config');
tell_facts(config => sub { config($farms) });
tell_facts(sets => sub { { rows => [map { scalar @$_ } @{ run($farms, 'exec proc_getNewObjects 0x0000000000000000')->{sets} }] } });
tell_facts(nulls => sub { nulls($translations) });
tell_facts(long => sub { long_value($farms) });
tell_facts(errors => sub { errors($translations) });
tell_facts(transaction => \&transaction);
tell_facts(prepared => sub { prepared($translations) });
tell_facts(metadata => sub { metadata($translations) });
