/** The ports tried by clients, in this order. */
export const usualPorts: readonly number[] = [17_171, 27_171, 37_171, 47_171, 57_171];
