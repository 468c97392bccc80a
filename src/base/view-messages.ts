/** The messages about views, and what they share with other objects, by number; `messages.ts` has all others. */
export const viewMessages = {
  111: { severity: 15, state: 1, text: "'%s' must be the first statement in a query batch." },
  166: { severity: 15, state: 1, text: "'%s' does not allow specifying the database name as a prefix to the object name." },
  1033: { severity: 15, state: 1, text: 'The ORDER BY clause is invalid in views, inline functions, derived tables, subqueries, and common table expressions, unless TOP, OFFSET or FOR XML is also specified.' },
  1054: { severity: 15, state: 6, text: "Syntax '%s' is not allowed in schema-bound objects." },
  3705: { severity: 16, state: 1, text: "Cannot use DROP %s with '%s' because '%s' is a %s. Use %s." },
  4103: { severity: 15, state: 1, text: '"%s": Temporary views are not allowed.' },
  4413: { severity: 16, state: 1, text: "Could not use view or function '%s' because of binding errors." },
  4427: { severity: 16, state: 1, text: 'Cannot update the view "%s" because it or a view it references was created with WITH CHECK OPTION and its definition contains a TOP or OFFSET clause.' },
  4429: { severity: 16, state: 1, text: "View or function '%s' contains a self-reference. Views or functions cannot reference themselves directly or indirectly." },
  4502: { severity: 16, state: 1, text: "View or function '%s' has more column names specified than columns defined." },
  4506: { severity: 16, state: 1, text: "Column names in each view or function must be unique. Column name '%s' in view or function '%s' is specified more than once." },
  4508: { severity: 16, state: 1, text: "Views or functions are not allowed on temporary tables. Table names that begin with '#' denote temporary tables." },
  4511: { severity: 16, state: 1, text: 'Create View or Function failed because no column name was specified for column %s.' },
  4512: { severity: 16, state: 3, text: "Cannot schema bind %s '%s' because name '%s' is invalid for schema binding. Names must be in two-part format and an object cannot reference itself." },
} as const;
