/*
 * A PKCS#11 driver that misbehaves on command. It forwards to the module named by P11_REAL, and reads the control
 * file named by P11_FAULT on each call, so that a test changes the weather while the driver runs.
 *
 * Lines `call=fault`, where call is init, slots, tokeninfo, open, find, login, signinit or sign, and fault is one of
 *   segv  abort  exit  hang  slow:MILLISECONDS  deep:KILOBYTES (of stack)  rv:NUMBER
 * optionally followed by @N: only the N-th call since the module was loaded.
 * Flags, `name=1`: removed, alwaysauth, papath (a PIN pad whose user knows the PIN of P11_PIN; it takes a NULL PIN or a
 * real one, and refuses an empty one), cantlock, badsignature, chatty (prints the PIN at each login, as some drivers do
 * when they debug). `lock=N` locks the PIN after N wrong ones.
 *
 * P11_TRACE names a file that gets one line per C_Login (user type, length and result, never the PIN) and per C_Sign.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <p11-kit/pkcs11.h>

static CK_FUNCTION_LIST functions;
static CK_FUNCTION_LIST_PTR real;
static int wrong_pins = 0;
static int context_login = 0;
static int was_removed = 0;
static char known_pin[256];
static pthread_mutex_t trace_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *const call_names[] = {"init", "slots", "tokeninfo", "open", "find", "login", "signinit", "sign"};
enum call { INIT, SLOTS, TOKENINFO, OPEN, FIND, LOGIN, SIGNINIT, SIGN };
static int counts[8];

static int setting(const char *name, char *value, size_t size)
{
    const char *path = getenv("P11_FAULT");
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[256];
    size_t length = strlen(name);
    int found = 0;
    if (!file) return 0;
    while (!found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        if (strncmp(line, name, length) == 0 && line[length] == '=') {
            snprintf(value, size, "%s", line + length + 1);
            found = 1;
        }
    }
    fclose(file);
    return found;
}

static int flag(const char *name)
{
    char value[64];
    return setting(name, value, sizeof value);
}

static void trace(const char *format, ...)
{
    const char *path = getenv("P11_TRACE");
    FILE *file;
    va_list arguments;
    if (!path) return;
    pthread_mutex_lock(&trace_lock);
    file = fopen(path, "a");
    if (file) {
        va_start(arguments, format);
        vfprintf(file, format, arguments);
        va_end(arguments);
        fclose(file);
    }
    pthread_mutex_unlock(&trace_lock);
}

static void use_stack(long kilobytes)
{
    volatile char block[1024];
    for (size_t index = 0; index < sizeof block; index++) block[index] = (char)kilobytes;
    if (kilobytes > 1) use_stack(kilobytes - 1);
    block[0] = block[1];
}

static CK_RV fault(enum call call)
{
    char value[64];
    char *at;
    int count = __atomic_add_fetch(&counts[call], 1, __ATOMIC_SEQ_CST);
    if (!setting(call_names[call], value, sizeof value)) return CKR_OK;
    at = strchr(value, '@');
    if (at) {
        *at = 0;
        if (atoi(at + 1) != count) return CKR_OK;
    }
    if (!strcmp(value, "segv")) *(volatile int *)0 = 1;
    if (!strcmp(value, "abort")) abort();
    if (!strcmp(value, "exit")) _exit(42);
    if (!strcmp(value, "hang")) for (;;) pause();
    if (!strncmp(value, "slow:", 5)) usleep(1000 * (useconds_t)atol(value + 5));
    if (!strncmp(value, "deep:", 5)) use_stack(atol(value + 5));
    if (!strncmp(value, "rv:", 3)) return strtoul(value + 3, NULL, 0);
    return CKR_OK;
}

/* A token that is pulled out takes its sessions and its login along. */
static int removed(void)
{
    int now = flag("removed");
    if (now && !was_removed) {
        CK_SLOT_ID slots[16];
        CK_ULONG count = 16;
        if (real->C_GetSlotList(CK_TRUE, slots, &count) == CKR_OK)
            for (CK_ULONG index = 0; index < count; index++) real->C_CloseAllSessions(slots[index]);
    }
    was_removed = now;
    return now;
}

static CK_RV f_Initialize(CK_VOID_PTR arguments)
{
    CK_RV result = fault(INIT);
    if (result) return result;
    if (arguments && (((CK_C_INITIALIZE_ARGS_PTR)arguments)->flags & CKF_OS_LOCKING_OK) && flag("cantlock"))
        return CKR_CANT_LOCK;
    return real->C_Initialize(arguments);
}

static CK_RV f_GetSlotList(CK_BBOOL present, CK_SLOT_ID_PTR list, CK_ULONG_PTR count)
{
    CK_RV result = fault(SLOTS);
    if (result) return result;
    if (removed() && present) {
        *count = 0;
        return CKR_OK;
    }
    return real->C_GetSlotList(present, list, count);
}

static CK_RV f_GetTokenInfo(CK_SLOT_ID slot, CK_TOKEN_INFO_PTR info)
{
    char value[64];
    CK_RV result = fault(TOKENINFO);
    if (result) return result;
    if (removed()) return CKR_TOKEN_NOT_PRESENT;
    result = real->C_GetTokenInfo(slot, info);
    if (result) return result;
    if (flag("papath")) info->flags |= CKF_PROTECTED_AUTHENTICATION_PATH;
    if (setting("lock", value, sizeof value)) {
        int limit = atoi(value);
        info->flags &= ~(CK_FLAGS)CKF_USER_PIN_COUNT_LOW;
        if (wrong_pins > 0) info->flags |= CKF_USER_PIN_COUNT_LOW;
        if (wrong_pins == limit - 1) info->flags |= CKF_USER_PIN_FINAL_TRY;
        if (wrong_pins >= limit) info->flags |= CKF_USER_PIN_LOCKED;
    }
    return CKR_OK;
}

static CK_RV f_OpenSession(CK_SLOT_ID slot, CK_FLAGS flags, CK_VOID_PTR application, CK_NOTIFY notify,
                           CK_SESSION_HANDLE_PTR session)
{
    CK_RV result = fault(OPEN);
    if (result) return result;
    if (removed()) return CKR_TOKEN_NOT_PRESENT;
    return real->C_OpenSession(slot, flags, application, notify, session);
}

static CK_RV f_FindObjects(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE_PTR objects, CK_ULONG most, CK_ULONG_PTR count)
{
    CK_RV result = fault(FIND);
    return result ? result : real->C_FindObjects(session, objects, most, count);
}

static CK_RV login(CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_UTF8CHAR_PTR pin, CK_ULONG length)
{
    char value[64];
    CK_RV result = fault(LOGIN);
    if (result) return result;
    if (removed()) return CKR_DEVICE_REMOVED;
    if (flag("papath") && pin && length == 0) return CKR_ARGUMENTS_BAD;
    if (setting("lock", value, sizeof value) && wrong_pins >= atoi(value)) return CKR_PIN_LOCKED;
    if (user == CKU_CONTEXT_SPECIFIC) {
        if (!flag("papath") && (length != strlen(known_pin) || memcmp(pin, known_pin, length))) return CKR_PIN_INCORRECT;
        context_login = 1;
        return CKR_OK;
    }
    if (flag("papath") && length == 0) {
        const char *typed = getenv("P11_PIN");
        pin = (CK_UTF8CHAR_PTR)(typed ? typed : "");
        length = strlen((char *)pin);
    }
    result = real->C_Login(session, user, pin, length);
    if (result == CKR_PIN_INCORRECT) wrong_pins++;
    if (result == CKR_OK && length < sizeof known_pin) {
        wrong_pins = 0;
        memcpy(known_pin, pin, length);
        known_pin[length] = 0;
    }
    return result;
}

static CK_RV f_Login(CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_UTF8CHAR_PTR pin, CK_ULONG length)
{
    CK_RV result;
    if (flag("chatty")) fprintf(stderr, "C_Login with the PIN %.*s\n", (int)length, pin ? (char *)pin : "");
    result = login(session, user, pin, length);
    trace("C_Login %lu %lu %lu\n", user, length, result);
    return result;
}

static CK_RV f_GetAttributeValue(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_PTR list,
                                 CK_ULONG count)
{
    CK_RV result = real->C_GetAttributeValue(session, object, list, count);
    if (result == CKR_OK && flag("alwaysauth"))
        for (CK_ULONG index = 0; index < count; index++)
            if (list[index].type == CKA_ALWAYS_AUTHENTICATE && list[index].pValue)
                *(CK_BBOOL *)list[index].pValue = CK_TRUE;
    return result;
}

static CK_RV f_SignInit(CK_SESSION_HANDLE session, CK_MECHANISM_PTR mechanism, CK_OBJECT_HANDLE key)
{
    CK_RV result = fault(SIGNINIT);
    if (result) return result;
    if (removed()) return CKR_DEVICE_REMOVED;
    context_login = 0;
    return real->C_SignInit(session, mechanism, key);
}

static uint32_t checksum(const CK_BYTE *octets, CK_ULONG length)
{
    uint32_t sum = 0;
    for (CK_ULONG index = 0; index < length; index++) sum = sum * 31 + octets[index];
    return sum;
}

static CK_RV f_Sign(CK_SESSION_HANDLE session, CK_BYTE_PTR data, CK_ULONG length, CK_BYTE_PTR signature,
                    CK_ULONG_PTR signature_length)
{
    uint32_t before = checksum(data, length);
    CK_RV result = CKR_OK;
    if (flag("alwaysauth") && !context_login) result = CKR_USER_NOT_LOGGED_IN;
    if (!result) result = fault(SIGN);
    if (!result && removed()) result = CKR_DEVICE_REMOVED;
    if (checksum(data, length) != before) trace("C_Sign INPUT CHANGED\n");
    context_login = 0;
    if (!result) result = real->C_Sign(session, data, length, signature, signature_length);
    if (!result && signature && flag("badsignature")) signature[*signature_length - 1] ^= 1;
    trace("C_Sign %lu\n", result);
    return result;
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR list)
{
    const char *path = getenv("P11_REAL");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    CK_C_GetFunctionList get = library ? (CK_C_GetFunctionList)dlsym(library, "C_GetFunctionList") : NULL;
    CK_RV result = get ? get(&real) : CKR_GENERAL_ERROR;
    if (result) return result;
    functions = *real;
    functions.C_Initialize = f_Initialize;
    functions.C_GetSlotList = f_GetSlotList;
    functions.C_GetTokenInfo = f_GetTokenInfo;
    functions.C_OpenSession = f_OpenSession;
    functions.C_FindObjects = f_FindObjects;
    functions.C_Login = f_Login;
    functions.C_GetAttributeValue = f_GetAttributeValue;
    functions.C_SignInit = f_SignInit;
    functions.C_Sign = f_Sign;
    functions.C_GetFunctionList = C_GetFunctionList;
    *list = &functions;
    return CKR_OK;
}
