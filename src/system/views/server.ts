import { arch, platform, release, type } from 'node:os';
import { messages } from '../../base/messages.ts';
import type { Columns } from '../../procedure/declare.ts';
import { orNull } from '../../procedure/declare.ts';
import { bit, int, nvarchar, smallint, sqlVariant, tinyint } from '../../tds/types/index.ts';
import { schemasOf } from '../catalog.ts';
import { configurations } from '../configurations.ts';
import { sysname } from '../names.ts';
import { view } from './view.ts';

/** The schemas that every database has, and those that clients made. */
export const sysSchemas = view(
  'sys',
  'schemas',
  { name: sysname, schema_id: int, principal_id: orNull(int) } satisfies Columns,
  (call) => [...schemasOf(call)].map(([name, id]) => ({ name, schema_id: id, principal_id: id > 4 ? 1 : id })),
);

const english = 1033;

const platforms: Readonly<Record<string, string>> = { linux: 'Linux', win32: 'Windows', darwin: 'macOS' };

/** The machine that the server runs on. */
export const sysDmOsHostInfo = view(
  'sys',
  'dm_os_host_info',
  {
    host_platform: nvarchar(256),
    host_distribution: nvarchar(256),
    host_release: nvarchar(256),
    host_service_pack_level: nvarchar(256),
    host_sku: orNull(int),
    os_language_version: int,
    host_architecture: nvarchar(256),
  } satisfies Columns,
  () => [
    {
      host_platform: platforms[platform()] ?? platform(),
      host_distribution: type(),
      host_release: release(),
      host_service_pack_level: '',
      host_sku: null,
      os_language_version: 0,
      host_architecture: arch(),
    },
  ],
);

/** The messages that the server raises. */
export const sysMessages = view(
  'sys',
  'messages',
  {
    message_id: int,
    language_id: smallint,
    severity: tinyint,
    is_event_logged: bit,
    text: nvarchar(2048),
  } satisfies Columns,
  () =>
    Object.entries(messages).map(([number, { severity, text }]) => ({
      message_id: Number(number),
      language_id: english,
      severity,
      is_event_logged: false,
      text,
    })),
);

const number = (value: number) => ({ type: int, value });

/** The settings of the server. */
export const sysConfigurations = view(
  'sys',
  'configurations',
  {
    configuration_id: int,
    name: nvarchar(35),
    value: orNull(sqlVariant),
    minimum: orNull(sqlVariant),
    maximum: orNull(sqlVariant),
    value_in_use: orNull(sqlVariant),
    description: nvarchar(255),
    is_dynamic: bit,
    is_advanced: bit,
  } satisfies Columns,
  () =>
    configurations.map(({ id, name, least, most, value, description, advanced }) => ({
      configuration_id: id,
      name,
      value: number(value),
      minimum: number(least),
      maximum: number(most),
      value_in_use: number(value),
      description,
      is_dynamic: false,
      is_advanced: advanced,
    })),
);
