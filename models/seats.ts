/** The features of a licence that are counted, each with the block that holds its count. */
export const countedFeatures = ['sip', 'mobile_app', 'ukey2'] as const;
export type CountedFeature = (typeof countedFeatures)[number];

/** How many seats of a counted feature are taken; `available` null is no limit. */
export interface SeatCount {
  feature: CountedFeature;
  used: number;
  available: number | null;
}

/** From this part on a count is warned of, percent. */
const warnedFrom = 80;
/** Whether seats are nearly used up; unlimited ones never are. */
export const isScarce = ({ used, available }: SeatCount): boolean => available !== null && used > 0 && used * 100 >= available * warnedFrom;
