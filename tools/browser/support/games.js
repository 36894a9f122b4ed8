// Games that were played elsewhere, for the tests that need one.

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

/** A whole game of two engines; Black reaches the home row. */
export const MURUS_ENGINES = words(`
  G5,NE A4,SW G7,N A3,S G2,NE A7,SW G6,N A6,S G3,N B6,SW F3,NE A1,SE G8,NW C3,SW E7,N A8,SW E6,NW A2,S
  F6,N B2,SE G4,W B3,SE D5,S A5,SW F7,NW C3,SW E6,SW D4,SE F5,N C6,E D5,E C5,E D6,SW D2,E D7,W D4,N E5,N
  C6,W D5,NW B4,S E4,S C2,SE G4,NE D3,N F4,NE B3,S D6,SW C3,E E5,E C4,E E6,SW C5,S F5,W C6,SW F4,E E4,E
  G1,NE E1,S`);

/** The begin of a game of two engines. */
export const VOIDRIDER_ENGINES = words(`
  d3-d4 c7-c6 e3-e4 b7-b6 e4-e5 d7-d6 f3-f4 d6-e5 d4-e5 e7-e6 c2-e4 f9-e9 c3-c4 d8-d9 b3-b4 a8-a7 c4-c5
  b6-c5 b4-c5 f8-d7 f2-d3 f7-f6 e2-f3 f6-e5 f4-e5 c8-b7`);
