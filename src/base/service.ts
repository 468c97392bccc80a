/** The lifecycle of everything that runs: started once, stopped at any time; stopping again is harmless. */
export interface Service extends AsyncDisposable {
  start(): Promise<void>;
  stop(): Promise<void>;
}
