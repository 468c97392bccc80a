import { type Columns, orNull } from '../../procedure/declare.ts';
import { datetime, int, nvarchar, smallint, uniqueidentifier, varbinary, varchar } from '../../tds/types/index.ts';
import { connectionId, inOrder, tcpEndpoint } from './session-columns.ts';
import { view } from './view.ts';

/** An address and port that were written in one: `127.0.0.1:50123`, `[::1]:50123`. */
function addressOf(address: string): { readonly host: string; readonly port: number | null } {
  const found = /^\[?(.*?)\]?:(\d+)$/.exec(address);
  const isWhole = !found || (!address.startsWith('[') && found[1]?.includes(':'));
  return isWhole ? { host: address, port: null } : { host: found[1] ?? address, port: Number(found[2]) };
}

const connectionColumns = {
  session_id: orNull(int),
  most_recent_session_id: orNull(int),
  connect_time: datetime,
  net_transport: nvarchar(40),
  protocol_type: orNull(nvarchar(40)),
  protocol_version: orNull(int),
  endpoint_id: orNull(int),
  encrypt_option: nvarchar(40),
  auth_scheme: nvarchar(40),
  node_affinity: smallint,
  num_reads: orNull(int),
  num_writes: orNull(int),
  last_read: orNull(datetime),
  last_write: orNull(datetime),
  net_packet_size: orNull(int),
  client_net_address: orNull(varchar(48)),
  client_tcp_port: orNull(int),
  local_net_address: orNull(varchar(48)),
  local_tcp_port: orNull(int),
  connection_id: uniqueidentifier,
  parent_connection_id: orNull(uniqueidentifier),
  most_recent_sql_handle: orNull(varbinary(64)),
} satisfies Columns;

/** The connections of the sessions. */
export const sysDmExecConnections = view('sys', 'dm_exec_connections', connectionColumns, (call) =>
  inOrder(call).map((session) => {
    const { host, port } = addressOf(session.address);
    return {
      session_id: session.spid,
      most_recent_session_id: session.spid,
      connect_time: session.connected,
      net_transport: 'TCP',
      protocol_type: 'TSQL',
      protocol_version: session.tdsVersion | 0, // the version has its highest bit free, and the column is signed
      endpoint_id: tcpEndpoint,
      encrypt_option: session.encrypted ? 'TRUE' : 'FALSE',
      auth_scheme: session.authentication,
      node_affinity: 0,
      num_reads: null,
      num_writes: null,
      last_read: null,
      last_write: null,
      net_packet_size: session.packetSize,
      client_net_address: host.slice(0, 48),
      client_tcp_port: port,
      local_net_address: null,
      local_tcp_port: null,
      connection_id: connectionId(session),
      parent_connection_id: null,
      most_recent_sql_handle: null,
    };
  }),
);
