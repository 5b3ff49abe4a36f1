/** The part of the statistics library that is used; it brings no types along. */
declare module 'jstat' {
  const library: {
    readonly jStat: {
      readonly beta: {
        /** The quantile function of the Beta distribution. */
        inv(probability: number, alpha: number, beta: number): number;
      };
    };
  };
  export default library;
}
