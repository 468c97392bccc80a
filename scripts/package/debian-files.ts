/** Starts the Node that comes along on the files beside it. */
export const wrapper = `#!/bin/sh
exec /usr/lib/granary/node /usr/lib/granary/bin/granary.js "$@"
`;

/** What the unit reads; dpkg asks before it replaces what an operator has changed. */
export const environmentFile = `# Settings of the granary service, a variable each: see "granary serve --help".
# GRANARY_HOST=0.0.0.0
# GRANARY_TLS_CERT=/etc/granary/server.pem
# GRANARY_TLS_KEY=/etc/granary/server.key
# GRANARY_SA_PASSWORD=
# GRANARY_ENGINE=postgres://granary@db.example/granary
# GRANARY_ENGINE_PASSWORD=
`;

export const copyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: granary

Files: *
Copyright: 2026 the authors of Granary
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.

Files: usr/lib/granary/node
Copyright: 2009-2026 the authors of Node.js
License: Expat
 The licenses of Node.js and of what it holds are at https://github.com/nodejs/node/blob/main/LICENSE.

Files: usr/lib/granary/node_modules/*
Copyright: the authors of each package
License: see the LICENSE file and package.json of each
 Each package keeps its own.
`;

/** The control file of the package. */
export const controlFile = (version: string, architecture: string, kilobytes: number): string => `Package: granary
Version: ${version}
Architecture: ${architecture}
Maintainer: Granary <granary@localhost>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6, libatomic1, adduser
Recommends: systemd
Suggests: postgresql, freetds-bin
Section: database
Priority: optional
Description: database back end of a SharePoint farm without SQL Server
 One process speaks TDS and answers the stored procedures of five SharePoint
 protocols, on SQLite or PostgreSQL. The Node that it runs on is included.
`;

/** What Debian's own tool would complain of and is meant: the package brings its own Node, as Node's project builds it. */
export const lintianOverrides = `granary: bogus-mail-host
granary: bogus-mail-host-in-debian-changelog
granary: embedded-library
granary: missing-dep-for-interpreter
granary: unstripped-binary-or-object
granary: hardening-no-pie
granary: maintainer-script-calls-systemctl
`;

/** The changes in the format that Debian wants; the project's own are beside them. */
export const debianChanges = (version: string, date: Date): string => `granary (${version}) unstable; urgency=medium

  * What is new in this release is in CHANGELOG.md.gz beside this file.

 -- Granary <granary@localhost>  ${date.toUTCString().replace('GMT', '+0000')}
`;

export const manualPage = `.TH GRANARY 1
.SH NAME
granary \\- database back end of a SharePoint farm without SQL Server
.SH SYNOPSIS
.B granary
.I command
.RI [ flags ]
.SH DESCRIPTION
One process speaks TDS and answers the stored procedures of five SharePoint protocols, on SQLite or PostgreSQL.
.B granary help
lists the commands,
.B granary
.I command
.B --help
the flags and the variables of the environment that stand for them.
.SH FILES
.TP
.I /etc/granary/environment
Settings of the service.
.TP
.I /var/lib/granary
The databases of the service, unless they are in PostgreSQL.
`;

/** What dpkg runs. Data is never removed: not by a purge either. */
export const maintainerScripts: Readonly<Record<string, string>> = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  if ! getent passwd granary > /dev/null; then
    adduser --system --group --home /var/lib/granary --no-create-home --quiet granary
  fi
  chown root:granary /etc/granary/environment
  chmod 640 /etc/granary/environment
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    # An upgrade of a server that runs takes it over to the new release.
    if [ -n "$2" ]; then systemctl try-restart granary.service || true; fi
  fi
  if [ -z "$2" ]; then echo "granary: settings are in /etc/granary/environment; systemctl enable --now granary starts it"; fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl stop granary.service || true; fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
if [ "$1" = purge ] && [ -d /var/lib/granary ]; then echo "granary: the databases stay in /var/lib/granary"; fi
`,
};
