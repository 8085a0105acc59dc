/* A library that needs another one, which the tests remove: with NEEDED this file is the other one. */
#ifdef NEEDED
__declspec(dllexport) int needed_value(void) { return 1; }
#else
__declspec(dllimport) int needed_value(void);
__declspec(dllexport) unsigned long C_GetFunctionList(void *list) { (void)list; return (unsigned long)needed_value(); }
#endif
