use strict;
use warnings;
use DBI;

# DBD::Sybase has no cursors of its own: what CT-Lib offers there is T-SQL.
my $db = DBI->connect("dbi:Sybase:server=granary;database=master", 'sa', $ENV{GRANARY_PASSWORD},
  { RaiseError => 1, PrintError => 0 });
$db->do('declare c scroll cursor for select name from sys.databases order by name');
$db->do('open c');
for my $direction ('next', 'last', 'first', 'absolute 2', 'prior', 'prior') {
  my $rows = $db->selectall_arrayref("fetch $direction from c");
  print "$direction=", (@$rows ? $rows->[0][0] : 'none'), "\n";
}
$db->do('close c');
eval { $db->do('fetch next from c') };
print 'closed=', $db->err, "\n";
$db->do('deallocate c');
eval { $db->do('open c') };
print 'deallocated=', $db->err, "\n";
$db->disconnect;
