/** The preferred name of a person, and the properties that hold other names (3.1.5.44.1). */
export const preferredName = 19;
export const otherNames = [15, 21, 27];
