/** Each reader judges everything, without the other's marks, in an order of its own. */
export const readers = ['first', 'second'] as const;
