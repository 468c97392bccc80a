/** The upper halves of DOS code pages, which SQL_Latin1_General_CP437 and similar collations still use. */
const uppers: Readonly<Record<string, string>> = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
};

const lower = String.fromCharCode(...Array.from({ length: 0x80 }, (_, code) => code));
const tables = new Map(Object.entries(uppers).map(([page, upper]) => [page, [...lower, ...upper]]));

/** Decodes bytes of a DOS code page; undefined for any other page. */
export function decodeDosPage(bytes: Uint8Array, page: string): string | undefined {
  const table = tables.get(page);
  if (table === undefined) return undefined;
  let text = '';
  for (const byte of bytes) text += table[byte] ?? '';
  return text;
}
