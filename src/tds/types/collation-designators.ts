/** The code page of varchar under a collation; 0 for those that only support Unicode. */
export type CodePageNumber =
  | 0
  | 437
  | 850
  | 874
  | 932
  | 936
  | 949
  | 950
  | 1250
  | 1251
  | 1252
  | 1253
  | 1254
  | 1255
  | 1256
  | 1257
  | 1258
  | 65001;

/** The first part of the names of Windows collations: the locale, its code page, and the existing versions. */
interface Designator {
  readonly locale: number;
  readonly page: CodePageNumber;
  /** 80 is the first version, which does not appear in the name. */
  readonly versions: readonly number[];
}

const row = (locale: number, page: CodePageNumber, ...versions: readonly number[]): Designator => ({
  locale,
  page,
  versions,
});

export const designators: Readonly<Record<string, Designator>> = {
  Albanian: row(0x041c, 1250, 80, 100),
  Arabic: row(0x0401, 1256, 80, 100),
  Assamese: row(0x044d, 0, 100),
  Azeri_Cyrillic: row(0x082c, 1251, 100),
  Azeri_Latin: row(0x042c, 1254, 100),
  Bashkir: row(0x046d, 1251, 100),
  Bengali: row(0x0445, 0, 100),
  Bosnian_Cyrillic: row(0x201a, 1251, 100),
  Bosnian_Latin: row(0x141a, 1250, 100),
  Breton: row(0x047e, 1252, 100),
  Chinese_Hong_Kong_Stroke: row(0x0c04, 950, 90),
  Chinese_PRC: row(0x0804, 936, 80, 90),
  Chinese_PRC_Stroke: row(0x20804, 936, 80, 90),
  Chinese_Simplified_Pinyin: row(0x0804, 936, 100),
  Chinese_Simplified_Stroke_Order: row(0x20804, 936, 100),
  Chinese_Taiwan_Bopomofo: row(0x30404, 950, 80, 90),
  Chinese_Taiwan_Stroke: row(0x0404, 950, 80, 90),
  Chinese_Traditional_Bopomofo: row(0x30404, 950, 100),
  Chinese_Traditional_Pinyin: row(0x1404, 950, 100),
  Chinese_Traditional_Stroke_Count: row(0x0404, 950, 100),
  Chinese_Traditional_Stroke_Order: row(0x21404, 950, 100),
  Corsican: row(0x0483, 1252, 100),
  Croatian: row(0x041a, 1250, 80, 100),
  Cyrillic_General: row(0x0419, 1251, 80, 100),
  Czech: row(0x0405, 1250, 80, 100),
  Danish_Greenlandic: row(0x0406, 1252, 100),
  Danish_Norwegian: row(0x0406, 1252, 80),
  Dari: row(0x048c, 1256, 100),
  Divehi: row(0x0465, 0, 90, 100),
  Estonian: row(0x0425, 1257, 80, 100),
  Finnish_Swedish: row(0x040b, 1252, 80, 100),
  French: row(0x040c, 1252, 80, 100),
  Frisian: row(0x0462, 1252, 100),
  Georgian_Modern_Sort: row(0x10437, 1252, 80, 100),
  German_PhoneBook: row(0x10407, 1252, 80, 100),
  Greek: row(0x0408, 1253, 80, 100),
  Hebrew: row(0x040d, 1255, 80, 100),
  Hungarian: row(0x040e, 1250, 80, 100),
  Hungarian_Technical: row(0x1040e, 1250, 80, 100),
  Icelandic: row(0x040f, 1252, 80, 100),
  Indic_General: row(0x0439, 0, 90, 100),
  Japanese: row(0x0411, 932, 80, 90),
  Japanese_Bushu_Kakusu: row(0x40411, 932, 100, 140),
  Japanese_Unicode: row(0x10411, 932, 80),
  Japanese_XJIS: row(0x0411, 932, 100, 140),
  Kazakh: row(0x043f, 1251, 90, 100),
  Khmer: row(0x0453, 0, 100),
  Korean: row(0x0412, 949, 90, 100),
  Korean_Wansung: row(0x0412, 949, 80),
  Lao: row(0x0454, 0, 100),
  Latin1_General: row(0x0409, 1252, 80, 100),
  Latvian: row(0x0426, 1257, 80, 100),
  Lithuanian: row(0x0427, 1257, 80, 100),
  Macedonian_FYROM: row(0x042f, 1251, 90, 100),
  Maltese: row(0x043a, 0, 100),
  Maori: row(0x0481, 0, 100),
  Mapudungan: row(0x047a, 1252, 100),
  Modern_Spanish: row(0x0c0a, 1252, 80, 100),
  Mohawk: row(0x047c, 1252, 100),
  Nepali: row(0x0461, 0, 100),
  Norwegian: row(0x0414, 1252, 100),
  Pashto: row(0x0463, 0, 100),
  Persian: row(0x0429, 1256, 100),
  Polish: row(0x0415, 1250, 80, 100),
  Romanian: row(0x0418, 1250, 80, 100),
  Romansh: row(0x0417, 1252, 100),
  Sami_Norway: row(0x043b, 1252, 100),
  Sami_Sweden_Finland: row(0x083b, 1252, 100),
  Serbian_Cyrillic: row(0x0c1a, 1251, 100),
  Serbian_Latin: row(0x081a, 1250, 100),
  Slovak: row(0x041b, 1250, 80, 100),
  Slovenian: row(0x0424, 1250, 80, 100),
  Syriac: row(0x045a, 0, 90, 100),
  Tamazight: row(0x085f, 1252, 100),
  Tatar: row(0x0444, 1251, 90, 100),
  Thai: row(0x041e, 874, 80, 100),
  Tibetan: row(0x0451, 0, 100),
  Traditional_Spanish: row(0x040a, 1252, 80, 100),
  Turkish: row(0x041f, 1254, 80, 100),
  Turkmen: row(0x0442, 1250, 100),
  Uighur: row(0x0480, 1256, 100),
  Ukrainian: row(0x0422, 1251, 80, 100),
  Upper_Sorbian: row(0x042e, 1252, 100),
  Urdu: row(0x0420, 1256, 100),
  Uzbek_Latin: row(0x0443, 1254, 90, 100),
  Vietnamese: row(0x042a, 1258, 80, 100),
  Welsh: row(0x0452, 1252, 100),
  Yakut: row(0x0485, 1251, 100),
};

/** A SQL Server collation: its sort id and the locale of its Unicode text. */
interface SqlCollation {
  readonly sortId: number;
  readonly locale: number;
  readonly page: CodePageNumber;
}

const sql = (sortId: number, locale: number, page: CodePageNumber): SqlCollation => ({ sortId, locale, page });

/** By the whole name without the prefix SQL. */
export const sqlCollations: Readonly<Record<string, SqlCollation>> = {
  SQL_1xCompat_CP850_CI_AS: sql(49, 0x0409, 850),
  SQL_AltDiction_CP1253_CS_AS: sql(121, 0x0408, 1253),
  SQL_AltDiction_CP850_CI_AI: sql(57, 0x0409, 850),
  SQL_AltDiction_CP850_CI_AS: sql(61, 0x0409, 850),
  SQL_AltDiction_CP850_CS_AS: sql(55, 0x0409, 850),
  SQL_AltDiction_Pref_CP850_CI_AS: sql(56, 0x0409, 850),
  SQL_Croatian_CP1250_CI_AS: sql(92, 0x041a, 1250),
  SQL_Croatian_CP1250_CS_AS: sql(91, 0x041a, 1250),
  SQL_Czech_CP1250_CI_AS: sql(84, 0x0405, 1250),
  SQL_Czech_CP1250_CS_AS: sql(83, 0x0405, 1250),
  SQL_Danish_Pref_CP1_CI_AS: sql(183, 0x0406, 1252),
  SQL_EBCDIC037_CP1_CS_AS: sql(210, 0x0409, 1252),
  SQL_EBCDIC1141_CP1_CS_AS: sql(218, 0x0407, 1252),
  SQL_EBCDIC273_CP1_CS_AS: sql(211, 0x0407, 1252),
  SQL_EBCDIC277_2_CP1_CS_AS: sql(219, 0x0406, 1252),
  SQL_EBCDIC277_CP1_CS_AS: sql(212, 0x0406, 1252),
  SQL_EBCDIC278_CP1_CS_AS: sql(213, 0x040b, 1252),
  SQL_EBCDIC280_CP1_CS_AS: sql(214, 0x0410, 1252),
  SQL_EBCDIC284_CP1_CS_AS: sql(215, 0x040a, 1252),
  SQL_EBCDIC285_CP1_CS_AS: sql(216, 0x0809, 1252),
  SQL_EBCDIC297_CP1_CS_AS: sql(217, 0x040c, 1252),
  SQL_Estonian_CP1257_CI_AS: sql(156, 0x0425, 1257),
  SQL_Estonian_CP1257_CS_AS: sql(155, 0x0425, 1257),
  SQL_Hungarian_CP1250_CI_AS: sql(86, 0x040e, 1250),
  SQL_Hungarian_CP1250_CS_AS: sql(85, 0x040e, 1250),
  SQL_Icelandic_Pref_CP1_CI_AS: sql(186, 0x040f, 1252),
  SQL_Latin1_General_CP1250_CI_AS: sql(82, 0x0405, 1250),
  SQL_Latin1_General_CP1250_CS_AS: sql(81, 0x0405, 1250),
  SQL_Latin1_General_CP1251_CI_AS: sql(106, 0x0419, 1251),
  SQL_Latin1_General_CP1251_CS_AS: sql(105, 0x0419, 1251),
  SQL_Latin1_General_CP1253_CI_AI: sql(124, 0x0408, 1253),
  SQL_Latin1_General_CP1253_CI_AS: sql(114, 0x0408, 1253),
  SQL_Latin1_General_CP1253_CS_AS: sql(113, 0x0408, 1253),
  SQL_Latin1_General_CP1254_CI_AS: sql(130, 0x041f, 1254),
  SQL_Latin1_General_CP1254_CS_AS: sql(129, 0x041f, 1254),
  SQL_Latin1_General_CP1255_CI_AS: sql(138, 0x040d, 1255),
  SQL_Latin1_General_CP1255_CS_AS: sql(137, 0x040d, 1255),
  SQL_Latin1_General_CP1256_CI_AS: sql(146, 0x0401, 1256),
  SQL_Latin1_General_CP1256_CS_AS: sql(145, 0x0401, 1256),
  SQL_Latin1_General_CP1257_CI_AS: sql(154, 0x0427, 1257),
  SQL_Latin1_General_CP1257_CS_AS: sql(153, 0x0427, 1257),
  SQL_Latin1_General_CP1_CI_AI: sql(54, 0x0409, 1252),
  SQL_Latin1_General_CP1_CI_AS: sql(52, 0x0409, 1252),
  SQL_Latin1_General_CP1_CS_AS: sql(51, 0x0409, 1252),
  SQL_Latin1_General_CP437_BIN: sql(30, 0x0409, 437),
  SQL_Latin1_General_CP437_BIN2: sql(30, 0x0409, 437),
  SQL_Latin1_General_CP437_CI_AI: sql(34, 0x0409, 437),
  SQL_Latin1_General_CP437_CI_AS: sql(32, 0x0409, 437),
  SQL_Latin1_General_CP437_CS_AS: sql(31, 0x0409, 437),
  SQL_Latin1_General_CP850_BIN: sql(40, 0x0409, 850),
  SQL_Latin1_General_CP850_BIN2: sql(40, 0x0409, 850),
  SQL_Latin1_General_CP850_CI_AI: sql(44, 0x0409, 850),
  SQL_Latin1_General_CP850_CI_AS: sql(42, 0x0409, 850),
  SQL_Latin1_General_CP850_CS_AS: sql(41, 0x0409, 850),
  SQL_Latin1_General_Pref_CP1_CI_AS: sql(53, 0x0409, 1252),
  SQL_Latin1_General_Pref_CP437_CI_AS: sql(33, 0x0409, 437),
  SQL_Latin1_General_Pref_CP850_CI_AS: sql(43, 0x0409, 850),
  SQL_Latvian_CP1257_CI_AS: sql(158, 0x0426, 1257),
  SQL_Latvian_CP1257_CS_AS: sql(157, 0x0426, 1257),
  SQL_Lithuanian_CP1257_CI_AS: sql(160, 0x0427, 1257),
  SQL_Lithuanian_CP1257_CS_AS: sql(159, 0x0427, 1257),
  SQL_MixDiction_CP1253_CS_AS: sql(120, 0x0408, 1253),
  SQL_Polish_CP1250_CI_AS: sql(88, 0x0415, 1250),
  SQL_Polish_CP1250_CS_AS: sql(87, 0x0415, 1250),
  SQL_Romanian_CP1250_CI_AS: sql(90, 0x0418, 1250),
  SQL_Romanian_CP1250_CS_AS: sql(89, 0x0418, 1250),
  SQL_Scandinavian_CP850_CI_AS: sql(60, 0x0406, 850),
  SQL_Scandinavian_CP850_CS_AS: sql(59, 0x0406, 850),
  SQL_Scandinavian_Pref_CP850_CI_AS: sql(58, 0x0406, 850),
  SQL_Slovak_CP1250_CI_AS: sql(94, 0x041b, 1250),
  SQL_Slovak_CP1250_CS_AS: sql(93, 0x041b, 1250),
  SQL_Slovenian_CP1250_CI_AS: sql(96, 0x0424, 1250),
  SQL_Slovenian_CP1250_CS_AS: sql(95, 0x0424, 1250),
  SQL_SwedishPhone_Pref_CP1_CI_AS: sql(184, 0x041d, 1252),
  SQL_SwedishStd_Pref_CP1_CI_AS: sql(185, 0x041d, 1252),
  SQL_Ukrainian_CP1251_CI_AS: sql(108, 0x0422, 1251),
  SQL_Ukrainian_CP1251_CS_AS: sql(107, 0x0422, 1251),
};
