/* The one function of Windows's bcryptprimitives.dll that Rust's library calls, for wine 8, which
   lacks it. For checks only (release.sh): it is in no archive. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length)
{
    return SystemFunction036(buffer, (ULONG)length);
}
