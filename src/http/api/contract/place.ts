export interface ApiPlace {
  readonly root: string;
  readonly path: string;
}
