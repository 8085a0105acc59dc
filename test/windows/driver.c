/*
 * A PKCS#11 driver for Windows with one slot and one token, and no object in the token. Structures of Cryptoki are
 * packed to one byte on Windows, and a CK_ULONG has four bytes there (PKCS#11 2.40, section 2.1): a binding that gets
 * this wrong shows another label, or crashes.
 */
#include <string.h>

typedef unsigned long ulong_t;
typedef unsigned char byte_t;
#define EXPORT __declspec(dllexport)

enum {
    RV_OK = 0x00,
    RV_ARGUMENTS_BAD = 0x07,
    RV_SLOT_ID_INVALID = 0x03,
    RV_FUNCTION_NOT_SUPPORTED = 0x54,
    RV_SESSION_HANDLE_INVALID = 0xB3,
    RV_BUFFER_TOO_SMALL = 0x150,
    SLOT = 7,
    SESSION = 1
};

#pragma pack(push, 1)
struct version { byte_t major, minor; };
struct info {
    struct version cryptoki;
    byte_t maker[32];
    ulong_t flags;
    byte_t description[32];
    struct version library;
};
struct slot_info {
    byte_t description[64], maker[32];
    ulong_t flags;
    struct version hardware, firmware;
};
struct token_info {
    byte_t label[32], maker[32], model[16], serial[16];
    ulong_t flags, max_sessions, sessions, max_rw_sessions, rw_sessions, max_pin, min_pin;
    ulong_t total_public, free_public, total_private, free_private;
    struct version hardware, firmware;
    byte_t utc_time[16];
};
struct session_info { ulong_t slot, state, flags, error; };
struct function_list { struct version version; void *functions[68]; };
#pragma pack(pop)

static void put(byte_t *field, size_t length, const char *text)
{
    memset(field, ' ', length);
    memcpy(field, text, strlen(text));
}

static ulong_t unsupported(void) { return RV_FUNCTION_NOT_SUPPORTED; }
static ulong_t initialize(void *arguments) { (void)arguments; return RV_OK; }
static ulong_t finalize(void *reserved) { (void)reserved; return RV_OK; }

static ulong_t get_info(struct info *info)
{
    memset(info, 0, sizeof *info);
    info->cryptoki = (struct version){2, 40};
    put(info->maker, sizeof info->maker, "Sinete");
    put(info->description, sizeof info->description, "Driver of the tests");
    return RV_OK;
}

static ulong_t get_slot_list(byte_t present, ulong_t *slots, ulong_t *count)
{
    (void)present;
    if (count == NULL) return RV_ARGUMENTS_BAD;
    if (slots != NULL && *count < 1) return RV_BUFFER_TOO_SMALL;
    if (slots != NULL) slots[0] = SLOT;
    *count = 1;
    return RV_OK;
}

static ulong_t get_slot_info(ulong_t slot, struct slot_info *info)
{
    if (slot != SLOT) return RV_SLOT_ID_INVALID;
    memset(info, 0, sizeof *info);
    put(info->description, sizeof info->description, "Reader of the tests");
    put(info->maker, sizeof info->maker, "Sinete");
    info->flags = 1;
    return RV_OK;
}

static ulong_t get_token_info(ulong_t slot, struct token_info *info)
{
    if (slot != SLOT) return RV_SLOT_ID_INVALID;
    memset(info, 0, sizeof *info);
    put(info->label, sizeof info->label, "Windows token");
    put(info->maker, sizeof info->maker, "Sinete");
    put(info->model, sizeof info->model, "Packed");
    put(info->serial, sizeof info->serial, "0123456789ABCDEF");
    /* Initialized, with a PIN that a user has set. */
    info->flags = 0x400 | 0x8 | 0x4;
    info->max_pin = 8;
    info->min_pin = 4;
    return RV_OK;
}

static ulong_t get_mechanism_list(ulong_t slot, ulong_t *list, ulong_t *count)
{
    (void)list;
    if (slot != SLOT) return RV_SLOT_ID_INVALID;
    *count = 0;
    return RV_OK;
}

static ulong_t open_session(ulong_t slot, ulong_t flags, void *application, void *notify, ulong_t *session)
{
    (void)flags, (void)application, (void)notify;
    if (slot != SLOT) return RV_SLOT_ID_INVALID;
    *session = SESSION;
    return RV_OK;
}

static ulong_t close_session(ulong_t session) { return session == SESSION ? RV_OK : RV_SESSION_HANDLE_INVALID; }
static ulong_t close_all_sessions(ulong_t slot) { return slot == SLOT ? RV_OK : RV_SLOT_ID_INVALID; }

static ulong_t get_session_info(ulong_t session, struct session_info *info)
{
    if (session != SESSION) return RV_SESSION_HANDLE_INVALID;
    *info = (struct session_info){SLOT, 0, 4, 0};
    return RV_OK;
}

static ulong_t find_objects_init(ulong_t session, void *template, ulong_t count)
{
    (void)template, (void)count;
    return close_session(session);
}

static ulong_t find_objects(ulong_t session, ulong_t *objects, ulong_t max, ulong_t *count)
{
    (void)objects, (void)max;
    *count = 0;
    return close_session(session);
}

static struct function_list list;

EXPORT ulong_t C_GetFunctionList(struct function_list **found)
{
    /* The order is that of CK_FUNCTION_LIST (PKCS#11 2.40, pkcs11f.h). */
    static const struct { int place; void *function; } own[] = {
        {0, initialize},      {1, finalize},       {2, get_info},          {3, C_GetFunctionList},
        {4, get_slot_list},   {5, get_slot_info},  {6, get_token_info},    {7, get_mechanism_list},
        {12, open_session},   {13, close_session}, {14, close_all_sessions}, {15, get_session_info},
        {26, find_objects_init}, {27, find_objects}, {28, close_session},
    };
    size_t i;
    list.version = (struct version){2, 40};
    for (i = 0; i < 68; i++) list.functions[i] = unsupported;
    for (i = 0; i < sizeof own / sizeof own[0]; i++) list.functions[own[i].place] = own[i].function;
    *found = &list;
    return RV_OK;
}
