import { ruleBroken, sqlError } from '../../base/messages/sql-error.ts';
import { compare, fold } from '../../base/text/collation.ts';
import { systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional } from '../../procedure/param.ts';
import { int, nvarchar, varchar } from '../../tds/types/index.ts';
import { configurations } from '../configurations.ts';

/** sp_configure: the settings of the server, read-only. */
export const spConfigure = systemProcedure({
  name: 'sp_configure',
  section: systemSection,
  summary: 'Lists the settings of the server.',
  access: 'none',
  params: {
    configname: optional(varchar(35), null, 'A setting, or a part of its name that no other has; without it, all.'),
    configvalue: optional(int, null, 'A new value, which is refused.'),
  },
  outcomes: {
    listed: {
      code: 0,
      meaning: 'Always.',
      sets: {
        settings: { name: nvarchar(35), minimum: int, maximum: int, config_value: int, run_value: int },
      },
    },
  },
  handle(_call, { configname, configvalue }) {
    const part = fold(configname ?? '');
    const exact = configurations.filter(({ name }) => fold(name) === part);
    const found = exact.length > 0 ? exact : configurations.filter(({ name }) => fold(name).includes(part));
    if (configname !== null && found.length !== 1) throw sqlError(15123, configname);
    if (configvalue !== null) {
      throw ruleBroken(
        'The settings of this server are read-only here; change them in the configuration of granary serve.',
      );
    }
    const settings = found.map(({ name, least, most, value }) => ({
      name,
      minimum: least,
      maximum: most,
      config_value: value,
      run_value: value,
    }));
    return { outcome: 'listed', sets: { settings: settings.sort((a, b) => compare(a.name, b.name)) } };
  },
});
