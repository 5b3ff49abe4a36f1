/** The path of GraphQL over HTTP and of the IDE. */
export const GRAPHQL_PATH = '/graphql';
