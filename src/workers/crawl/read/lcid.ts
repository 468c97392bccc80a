/** The languages that pages are mostly in, as Windows numbers them (MS-LCID). */
const lcids: Readonly<Record<string, number>> = {
  ar: 1025,
  bg: 1026,
  ca: 1027,
  zh: 2052,
  'zh-tw': 1028,
  'zh-hk': 3076,
  cs: 1029,
  da: 1030,
  de: 1031,
  'de-at': 3079,
  'de-ch': 2055,
  el: 1032,
  en: 1033,
  'en-gb': 2057,
  'en-au': 3081,
  'en-ca': 4105,
  es: 3082,
  'es-mx': 2058,
  et: 1061,
  fa: 1065,
  fi: 1035,
  fr: 1036,
  'fr-ca': 3084,
  'fr-ch': 4108,
  he: 1037,
  hi: 1081,
  hr: 1050,
  hu: 1038,
  id: 1057,
  it: 1040,
  ja: 1041,
  ko: 1042,
  lt: 1063,
  lv: 1062,
  nl: 1043,
  'nl-be': 2067,
  no: 1044,
  nb: 1044,
  nn: 2068,
  pl: 1045,
  pt: 2070,
  'pt-br': 1046,
  ro: 1048,
  ru: 1049,
  sk: 1051,
  sl: 1060,
  sr: 10266,
  sv: 1053,
  th: 1054,
  tr: 1055,
  uk: 1058,
  vi: 1066,
};

/** The language that nobody has named: neutral. */
const neutral = 0;

/** The LCID of a language tag: of the whole tag, or of its first part. */
export function lcidOf(language: string): number {
  const tag = language.toLowerCase().replaceAll('_', '-');
  return lcids[tag] ?? lcids[tag.split('-')[0] ?? ''] ?? neutral;
}
