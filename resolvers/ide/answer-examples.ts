import type { IdeExamples } from './group.ts';

const ANSWER = `# An answer from memory alone, and what each of its markers stands for.
query Answer($answer: AnswerInput!) {
  answer(input: $answer) {
    answer
    citations { marker supportStrength record { id scope ... on Fact { predicate } } }
    diagnostics { llmModel verification droppedCitations recallMs llmMs }
    packId
    contextBlock
  }
}

# What an answer would rest on; no model is called, so none has to be set up.
query AnswerPack($scope: String!) {
  answer(input: { scope: $scope, question: "Where does the user live?", skipAnswerLlm: true }) {
    pack { contextBlock layers { facts { score fact { predicate } } } }
  }
}

# A document by an outline; a section without evidence says so.
query Compose($compose: ComposeInput!) {
  compose(input: $compose) {
    document
    citations { marker layer id supportStrength }
  }
}
`;

/** Answers and documents. */
export const ANSWER_EXAMPLES: IdeExamples = {
  name: 'answer',
  document: ANSWER,
  variables: {
    answer: { scope: 'user:demo', question: 'Where does the user live?', includeContext: true },
    scope: 'user:demo',
    compose: { scope: 'user:demo', brief: 'Who the user is', length: 'brief', structure: ['Home', 'Work'] },
  },
};
