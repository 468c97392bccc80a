/** The most bytes of a property tracker blob: GetTopAnchorLinks returns it as varbinary(2048). */
export const longestTrackerBlob = 2048;
