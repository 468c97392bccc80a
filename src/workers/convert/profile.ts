import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One setting of LibreOffice: its path, its name, and its value. */
type Registered = readonly [path: string, name: string, value: string | number | boolean];

const security = '/org.openoffice.Office.Common/Security/Scripting';
const internet = '/org.openoffice.Inet/Settings';

/** No macros, no links, no network, no dialogs, updates, recovery or history. */
const settings: readonly Registered[] = [
  [security, 'MacroSecurityLevel', 3],
  [security, 'DisableMacrosExecution', true],
  [security, 'DisableActiveContent', true],
  [security, 'DisableOLEAutomation', true],
  [security, 'BlockUntrustedRefererLinks', true],
  ['/org.openoffice.Office.Writer/Content/Update', 'Link', 0],
  ['/org.openoffice.Office.Calc/Content/Update', 'Link', 2],
  ['/org.openoffice.Office.Common/Load', 'UpdateDocMode', 0],
  // A proxy that does not exist: whatever gets past everything else ends here.
  [internet, 'ooInetProxyType', 2],
  [internet, 'ooInetHTTPProxyName', '127.0.0.1'],
  [internet, 'ooInetHTTPProxyPort', 9],
  [internet, 'ooInetHTTPSProxyName', '127.0.0.1'],
  [internet, 'ooInetHTTPSProxyPort', 9],
  [internet, 'ooInetFTPProxyName', '127.0.0.1'],
  [internet, 'ooInetFTPProxyPort', 9],
  [internet, 'ooInetNoProxy', ''],
  ['/org.openoffice.Office.Recovery/AutoSave', 'Enabled', false],
  ['/org.openoffice.Office.Recovery/RecoveryInfo', 'SessionData', false],
  ['/org.openoffice.Office.Common/History', 'PickListSize', 0],
  ['/org.openoffice.Office.Common/Misc', 'FirstRun', false],
  ['/org.openoffice.Office.Common/Misc', 'CollectUsageInformation', false],
  ['/org.openoffice.Office.Common/Misc', 'ShowTipOfTheDay', false],
  ['/org.openoffice.Office.Common/Misc', 'UseLocking', false],
  ['/org.openoffice.Setup/Office', 'ooSetupInstCompleted', true],
  ['/org.openoffice.Setup/Product', 'LastTimeDonateShown', 0],
];

/** Makes the profile of an instance in a folder. */
export async function writeProfile(folder: string): Promise<void> {
  const user = join(folder, 'user');
  await mkdir(user, { recursive: true, mode: 0o700 });
  const items = settings.map(
    ([path, name, value]) =>
      `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  );
  await writeFile(
    join(user, 'registrymodifications.xcu'),
    `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${items.join('\n')}
</oor:items>
`,
  );
}
