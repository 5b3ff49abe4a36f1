/** Links, those that were taken back among them, by which entities hang together: whatever names one of them goes by all of these. */
export const MAX_LINKS_OF_GROUP = 512;
