#include "CPhoneNumber.h"

#include <phonenumbers/phonenumberutil.h>

#include <cstring>
#include <string>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

int cphonenumber_read(const char *text, const char *region, char *e164, size_t size) {
    const PhoneNumberUtil &util = *PhoneNumberUtil::GetInstance();
    PhoneNumber number;
    if (util.Parse(text, region, &number) != PhoneNumberUtil::NO_PARSING_ERROR ||
        util.IsPossibleNumberWithReason(number) != PhoneNumberUtil::IS_POSSIBLE) {
        return CPHONENUMBER_NONE;
    }
    std::string formatted;
    util.Format(number, PhoneNumberUtil::E164, &formatted);
    if (formatted.size() >= size) {
        return CPHONENUMBER_NONE;
    }
    std::memcpy(e164, formatted.c_str(), formatted.size() + 1);
    return util.IsValidNumber(number) ? CPHONENUMBER_VALID : CPHONENUMBER_POSSIBLE;
}
