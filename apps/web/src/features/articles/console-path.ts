// Where editors read and write articles. On its own, so that the list does not bring the editor along.
export const ARTICLES_PATH = "/v2/operators/articles";
