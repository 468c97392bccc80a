/** The first bytes of the tokens of MS-TDS 2.2.7 that Granary writes or reads. */
export const tokenTypes = {
  returnStatus: 0x79,
  colMetadata: 0x81,
  tabName: 0xa4,
  colInfo: 0xa5,
  order: 0xa9,
  error: 0xaa,
  info: 0xab,
  returnValue: 0xac,
  loginAck: 0xad,
  featureExtAck: 0xae,
  row: 0xd1,
  nbcRow: 0xd2,
  envChange: 0xe3,
  done: 0xfd,
  doneProc: 0xfe,
  doneInProc: 0xff,
} as const;
