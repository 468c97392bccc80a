/** The messages about JSON, by number; `messages.ts` has all others. */
export const jsonMessages = {
  13600: { severity: 16, state: 1, text: 'FOR JSON AUTO requires at least one table for generating JSON objects. Use FOR JSON PATH or add a FROM clause with a table name.' },
  13601: { severity: 16, state: 1, text: "Property '%s' cannot be generated in JSON output due to a conflict with another column name or alias. Use different names and aliases for each column in SELECT list." },
  13602: { severity: 16, state: 1, text: 'The FOR JSON clause is not allowed in a %s statement.' },
  13605: { severity: 16, state: 1, text: 'Column expressions and data sources without names or aliases cannot be formatted as JSON text using FOR JSON clause. Add alias to the unnamed column or table.' },
  13607: { severity: 16, state: 1, text: "JSON path is not properly formatted. Unexpected character '%s' is found at position %s." },
  13608: { severity: 16, state: 1, text: 'Property cannot be found on the specified JSON path.' },
  13609: { severity: 16, state: 1, text: "JSON text is not properly formatted. Unexpected character '%s' is found at position %s." },
  13611: { severity: 16, state: 1, text: 'Value referenced by JSON path is not an array or object and cannot be opened with OPENJSON.' },
  13618: { severity: 16, state: 1, text: 'AS JSON option can be specified only for column of nvarchar(max) type in WITH clause.' },
  13619: { severity: 16, state: 1, text: 'Unsupported JSON path found in argument %s of %s.' },
  13620: { severity: 16, state: 1, text: 'ROOT option and WITHOUT_ARRAY_WRAPPER option cannot be used together in FOR JSON. Remove one of these options.' },
  13621: { severity: 16, state: 1, text: 'Array cannot be found in the specified JSON path.' },
  13623: { severity: 16, state: 2, text: 'Scalar value cannot be found in the specified JSON path.' },
  13624: { severity: 16, state: 2, text: 'Object or array cannot be found in the specified JSON path.' },
  13625: { severity: 16, state: 1, text: 'String value in the specified JSON path would be truncated.' },
} as const;
