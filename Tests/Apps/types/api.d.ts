// The API's client in shared/api.js. The schemas and the two maps by path are made from openapi.yaml.

declare namespace Api {
  interface Options {
    body?: any;
    raw?: Blob;
    type?: string;
    key?: string;
    headers?: Record<string, string>;
    signal?: AbortSignal;
    timeout?: number;
    anonymous?: boolean;
    onResponse?: (response: Response) => any;
    /** Of the session: set by the client itself. */
    life?: AbortSignal;
  }
  type Plain<Path extends string> = Path extends `${infer Before}?${string}`
    ? Before
    : Path extends `${infer Before}&${string}`
      ? Before
      : Path;
  /** What a map has for a path that is written out; `any` for others. */
  type Known<Map, Operation extends string> = Operation extends keyof Map ? Map[Operation] : any;
  type Answer<Method extends string, Path extends string> = Known<Answers, `${Method} ${Plain<Path>}`>;
  type Body<Method extends string, Path extends string> = Known<Bodies, `${Method} ${Plain<Path>}`>;
  type Ask<Method extends string> = <Path extends string>(
    path: Path,
    options?: Options,
  ) => Promise<Answer<Method, Path>>;
  type Send<Method extends string> = <Path extends string>(
    path: Path,
    body?: Body<Method, Path>,
    options?: Options,
  ) => Promise<Answer<Method, Path>>;
  type WithQuery = <Path extends string>(
    path: Path,
    values: Record<string, any>,
  ) => Path | `${Path}?${string}` | `${Path}&${string}`;
}
