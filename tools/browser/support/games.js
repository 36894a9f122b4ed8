// Short games that were played to their results, for the tests that need one.

const words = (text) => text.trim().split(/\s+/);

/** With a sacrifice; Black reaches the home row. */
export const MURUS = words(`
  G7,NW A5,SE G3,NE A6,S E5,NW B6,S G5,N C6,S G6,NW A7,S G4,E C7,S F5,NE D6,SE G1,NE E7,S`);

/** With captures of both sides; White connects all stones. */
export const LOA = words(`
  B8-B6 H3-F5 F8-F5 A3-C1 B1-E4 A6-C8 G1-D4 A2-A6 D8-D5 H2-G1 E8-E5 C1-B2 B6-F2 B2-B1 G8-E6 C8-B8
  D1-F3`);

/** With space moves, captures and a promotion that is a space move too; Red mates. */
export const VOIDRIDER = words(`
  b1-e1 f7-f6 e3-e4 e7-e6 d2-d1 c7-c6 f1-g1 d7-d6 d3-d4 d6-d5 c3-c4 f6-f5 a2-a3 b7-b6 a3-a2 f5-f4
  e4-e5 c6-c5 c2-c1 c5-d4 e1-c3 d4-c3 e2-d2 c3-b2 c4-c5 b2-b1=V g1-f1 b1-a2 d2-b4 a2-b3 d1-d2 b3-b4
  f1-d3 b6-c5 g2-g1 b8-c6 d3-d4 c6-d4 d2-d3 d4-f3 c1-c2 c5-c4`);
