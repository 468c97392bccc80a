/** The command that compiles a program of `mono/` together with what the programs share, and runs it. */
export function monoProgram(name: string): readonly string[] {
  const references = ['System.Data', 'System.Transactions', 'System.Xml'].map((each) => `-r:${each}.dll`).join(' ');
  const script = [
    'folder=$(mktemp -d) && trap "rm -r $folder" EXIT',
    `mcs -langversion:latest ${references} -main:${name} -out:$folder/${name}.exe mono/Client.cs mono/${name}.cs`,
    `mono $folder/${name}.exe`,
  ];
  return ['sh', '-ec', script.join(' && ')];
}
