/**
 * Draws an edge from `conclusion` to the record `premise` that it names, unless there is one. What a declaration names as its reasons supports
 * the belief in it, and is no premise.
 */
export const CONCLUDE = `WITH conclusion, premise WHERE conclusion.extractor <> 'declared' AND conclusion.tenant = premise.tenant
       MERGE (conclusion)-[edge:CONCLUDED_FROM]->(premise)
         ON CREATE SET edge.recorded_from = conclusion.recorded_at, edge.recorded_to = $open_end`;
